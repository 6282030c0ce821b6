import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { handleReports } from "../../../src/services/bounces/handle-reports.ts";
import { newWebhook, WEBHOOK_QUEUE } from "../../support/events.ts";
import { CAPTURING, createService, unique, type Client } from "../../support/service.ts";

interface LogEntry {
  id: string;
  subject: string;
  status: string;
  error: string | null;
}

const clock = { aheadMs: 0 };
const service = createService({ WEBHOOK_QUEUE }, { now: () => Date.now() + clock.aheadMs });

interface Rollup {
  kind: string;
  grain: string;
  sent: number;
  bounced: number;
}

async function newProject(owner: Client) {
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  const read = async () => (await owner.get<{ url: string }>(`${path}/bounce-webhook`)).body.url;
  const self = {
    ...project,
    path,
    owner,
    ingestUrl: read,
    /** Posts a body to the ingest URL as a provider does. */
    ingest: async (body: unknown, url?: string) => {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const response = await service.fetch(url ?? (await read()), { method: "POST", body: text });
      return { status: response.status, body: await response.json() };
    },
    send: async (to = `${unique("to")}@example.com`) => {
      const mail = { to, subject: "Hello", html_body: "<p>Hi</p>" };
      const { body } = await owner.post<{ id: string }>(`${path}/send`, mail);
      return { id: body.id, to };
    },
    logs: async () => (await owner.get<{ logs: LogEntry[] }>(`${path}/logs`)).body.logs,
    statusOf: async (id: string) => (await self.logs()).find((entry) => entry.id === id)?.status,
    stats: async () => (await owner.get(`${path}/stats`)).body,
    suppressed: async () => {
      const { body } = await owner.get<{
        suppressions: { email: string; reason: string; source: string }[];
      }>(`${path}/suppressions`);
      return body.suppressions.map(({ email, reason, source }) => ({ email, reason, source }));
    },
    rollups: async () => {
      const { results } = await env.DB.prepare(
        "select kind, grain, sum(sent) as sent, sum(bounced) as bounced from rollups where project_id = ? group by kind, grain order by kind, grain",
      )
        .bind(project.id)
        .all<Rollup>();
      return results;
    },
    audit: async (action: string) => {
      const { results } = await env.DB.prepare(
        "select metadata from audit_entries where scope_id = ? and action = ?",
      )
        .bind(project.id, action)
        .all<{ metadata: string }>();
      return results.map(({ metadata }) => JSON.parse(metadata));
    },
  };
  return self;
}

type Project = Awaited<ReturnType<typeof newProject>>;

/** Creates a subscriber and a template, and finishes a broadcast to the subscriber. */
async function broadcastTo(project: Project, email: string) {
  const { owner, path } = project;
  await owner.post(`${path}/subscribers`, { email });
  const template = await owner.post<{ id: string }>(`${path}/templates`, {
    name: "news",
    subject: "News",
    html_body: "<p>News</p>",
  });
  await owner.post(`${path}/broadcast`, { template_id: template.body.id });
  return (await project.logs()).find((entry) => entry.subject === "News");
}

describe("the ingest URL", async () => {
  const owner = await service.newOwner();

  it("is created on the first read, does not change, and is shown to an API key as well", async () => {
    const project = await newProject(owner);
    const path = `${project.path}/bounce-webhook`;
    const reads = await Promise.all([owner.get(path), owner.get(path)]);
    const third = await service.withKey(project.key).get(path);
    expect(reads[0]?.body).toEqual({
      url: expect.stringMatching(
        new RegExp(
          `^https://mail\\.postrider\\.test/webhooks/bounces/${project.id}\\?token=\\w{43}$`,
        ),
      ),
      rotated_at: expect.stringMatching(/Z$/),
    });
    expect(reads[1]?.body).toEqual(reads[0]?.body);
    expect(third.body).toEqual(reads[0]?.body);
  });

  it("is stored hashed and encrypted, never in plain text", async () => {
    const project = await newProject(owner);
    const token = new URL(await project.ingestUrl()).searchParams.get("token") ?? "";
    const row = await env.DB.prepare("select * from bounce_tokens where project_id = ?")
      .bind(project.id)
      .first();
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it("stops working once it is rotated, and the audit trail records the rotation", async () => {
    const project = await newProject(owner);
    const old = await project.ingestUrl();
    const { status, body } = await owner.post(`${project.path}/bounce-webhook/rotate`);
    expect(status).toBe(200);
    expect(body["url"]).not.toBe(old);
    expect(await project.ingestUrl()).toBe(body["url"]);
    const bounce = { email: "a@example.com" };
    expect(await project.ingest(bounce, old)).toMatchObject({ status: 401 });
    expect(await project.ingest(bounce)).toMatchObject({ status: 200 });
    expect(await project.audit("bounce_token.rotate")).toHaveLength(1);
  });
});

describe("POST /webhooks/bounces/{projectId}", async () => {
  let project: Project;
  beforeAll(async () => {
    project = await newProject(await service.newOwner());
  });

  it("suppresses the address of a generic object and does nothing when it is posted again", async () => {
    const email = `${unique("gone")}@example.com`;
    const answer = { status: 200, body: { status: "accepted", email } };
    const bounce = { email: email.toUpperCase(), reason: "no such user", type: "permanent" };
    expect(await project.ingest(bounce)).toEqual(answer);
    const listed = await project.suppressed();
    expect(listed).toContainEqual({ email, reason: "hard_bounce", source: expect.any(String) });
    expect(listed.find((entry) => entry.email === email)?.source).toContain("no such user");
    expect(await project.ingest(bounce)).toEqual(answer);
    expect(await project.suppressed()).toEqual(listed);
  });

  it("records every object of an array and answers with the first address that it suppresses", async () => {
    const [first, second] = [`${unique("one")}@example.com`, `${unique("two")}@example.com`];
    const soft = { email: second, type: "soft" };
    const bounces = [soft, { email: first }, { email: "none" }, { email: second }, soft];
    expect((await project.ingest(bounces)).body).toEqual({ status: "accepted", email: first });
    const emails = (await project.suppressed()).map(({ email }) => email);
    expect(emails).toEqual(expect.arrayContaining([first, second]));
  });

  it("accepts the event of a provider", async () => {
    const recipient = `${unique("event")}@example.com`;
    const event = {
      event: "failed",
      severity: "permanent",
      recipient,
      reason: "bounce",
      "delivery-status": { code: 550, message: "5.1.1 The account does not exist" },
    };
    const answer = await project.ingest({ "event-data": event });
    expect(answer).toEqual({ status: 200, body: { status: "accepted", email: recipient } });
    expect((await project.suppressed()).map(({ email }) => email)).toContain(recipient);
  });

  it("suppresses the recipient of a policy rejection only if its severity is permanent", async () => {
    const status = { code: 550, message: "5.7.1 blocked by policy" };
    const post = async (severity?: string) => {
      const recipient = `${unique("severity")}@example.com`;
      const event = { event: "failed", severity, recipient, "delivery-status": status };
      expect((await project.ingest({ "event-data": event })).status).toBe(200);
      return (await project.suppressed()).some(({ email }) => email === recipient);
    };
    expect([await post("permanent"), await post("temporary"), await post()]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("answers ignored and suppresses no address for an event that reports no bounce", async () => {
    const email = `${unique("event")}@example.com`;
    const ignored = { status: 200, body: { status: "ignored" } };
    expect(await project.ingest({ email, type: "email.delivered" })).toEqual(ignored);
    expect(await project.ingest({ email, event: "dropped", reason: "Spam Content" })).toEqual(
      ignored,
    );
    expect((await project.suppressed()).map((entry) => entry.email)).not.toContain(email);
  });

  it("suppresses the address of an opt-out as unsubscribed, without a complaint", async () => {
    const { to } = await project.send();
    const answer = await project.ingest([{ event: "unsub", email: to }]);
    expect(answer.body).toEqual({ status: "accepted", email: to });
    const entry = { email: to, reason: "unsubscribed", source: "ingest" };
    expect(await project.suppressed()).toContainEqual(entry);
  });

  it("keeps the first report about an address that the body names twice", async () => {
    const [one, two] = [`${unique("first")}@example.com`, `${unique("first")}@example.com`];
    await project.ingest([
      { email: one, type: "complaint" },
      { email: one, reason: "no such user" },
      { email: two, reason: "no such user" },
      { email: two, type: "complaint" },
    ]);
    const listed = await project.suppressed();
    expect(listed).toContainEqual({ email: one, reason: "manual", source: "complaint" });
    expect(listed).toContainEqual({
      email: two,
      reason: "hard_bounce",
      source: "ingest: no such user",
    });
  });

  it("records its own name as the source, and `bounced` as the error, if the body contains no reason", async () => {
    const { id, to } = await project.send();
    await project.ingest({ email: to });
    const marked = (await project.logs()).find((entry) => entry.id === id);
    expect(marked).toMatchObject({ status: "bounced", error: "bounced" });
    const entry = { email: to, reason: "hard_bounce", source: "ingest" };
    expect(await project.suppressed()).toContainEqual(entry);
  });

  it("ignores a temporary failure: it suppresses and marks nothing", async () => {
    const { id, to } = await project.send();
    for (const bounce of [
      { email: to, type: "temporary" },
      {
        "event-data": {
          event: "failed",
          severity: "temporary",
          recipient: to,
          "delivery-status": { code: 452, message: "4.2.2 mailbox full" },
        },
      },
    ])
      expect(await project.ingest(bounce)).toEqual({ status: 200, body: { status: "ignored" } });
    expect((await project.suppressed()).map(({ email }) => email)).not.toContain(to);
    expect(await project.statusOf(id)).toBe("sent");
  });

  it.each(["", "{}", "[]", "null", "nonsense", '{"email": "nobody"}', '{"event-data": {}}'])(
    "finds no email in %j",
    async (body) => {
      expect(await project.ingest(body)).toMatchObject({
        status: 400,
        body: { error: "could not find email in payload" },
      });
    },
  );

  it("answers 401 to a token of another project before any other check", async () => {
    const neighbour = await newProject(await service.newOwner());
    const token = new URL(await neighbour.ingestUrl()).search;
    const unread = await newProject(await service.newOwner());
    const refused = { status: 401, body: { error: "missing or invalid token" } };
    const oversize = "x".repeat(70_000);
    for (const url of [
      `/webhooks/bounces/${project.id}`,
      `/webhooks/bounces/${project.id}?token=`,
      `/webhooks/bounces/${project.id}?token=wrong`,
      `/webhooks/bounces/${project.id}${token}`,
      `/webhooks/bounces/${crypto.randomUUID()}${token}`,
      `/webhooks/bounces/${unread.id}?token=`, // the project has no token yet
    ])
      expect(await project.ingest(oversize, url)).toMatchObject(refused);
  });

  it("stops reading a body at 64 KiB and answers 413", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        if (pulled > 100) controller.error(new Error("read on and on"));
        else controller.enqueue(new Uint8Array(16_384).fill(32));
      },
    });
    const response = await service.fetch(await project.ingestUrl(), {
      method: "POST",
      body: endless,
    });
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { error: "payload too large" },
    ]);
    expect(pulled).toBeLessThan(20);
    const email = `${unique("full")}@example.com`;
    const full = JSON.stringify({ email }).padEnd(65_536);
    expect(await project.ingest(full)).toMatchObject({ status: 200 });
    expect(await project.ingest(`${full} `)).toMatchObject({ status: 413 });
  });
});

describe("a bounce of a mail in the log", async () => {
  const owner = await service.newOwner();

  it("marks the entry as bounced once and updates the totals", async () => {
    const project = await newProject(owner);
    const { id, to } = await project.send();
    await project.send();
    const before = await project.rollups();
    await project.ingest({ email: to, reason: "550 5.1.1 unknown" });
    await project.ingest({ email: to, reason: "again" });
    const entry = (await project.logs()).find((log) => log.id === id);
    expect(entry).toMatchObject({ status: "bounced", error: "550 5.1.1 unknown" });
    expect(await project.stats()).toMatchObject({ total: 2, sent: 1, bounced: 1 });
    expect(before.map(({ sent }) => sent)).toEqual([2, 2]);
    expect(await project.rollups()).toEqual(
      ["day", "hour"].map((grain) => ({ kind: "log", grain, sent: 1, bounced: 1 })),
    );
    const listed = await owner.get<{ total: number }>(`${project.path}/logs?status=bounced`);
    expect(listed.body.total).toBe(1);
  });

  it("does not change the number of mails its template has sent", async () => {
    const project = await newProject(owner);
    const email = `${unique("reader")}@example.com`;
    await broadcastTo(project, email);
    const sentOfTemplate = async () =>
      (await project.rollups()).find(({ kind }) => kind === "template")?.sent;
    expect(await sentOfTemplate()).toBe(1);
    await project.ingest({ email });
    expect(await sentOfTemplate()).toBe(0);
  });

  it("is matched by its Message-ID before newer mails to the same address", async () => {
    const project = await newProject(owner);
    const older = await project.send();
    clock.aheadMs += 1_000;
    const newer = await project.send(older.to);
    await project.ingest({ email: older.to, message_id: `<${older.id}@postrider.test>` });
    expect(await project.statusOf(older.id)).toBe("bounced");
    expect(await project.statusOf(newer.id)).toBe("sent");
  });

  it("is otherwise matched to the newest mail to the address, and a repeated report to no older one", async () => {
    const project = await newProject(owner);
    const older = await project.send();
    clock.aheadMs += 1_000;
    const newer = await project.send(older.to);
    for (let n = 0; n < 2; n += 1)
      await project.ingest({ email: older.to, message_id: "<unknown@elsewhere.test>" });
    expect(await project.statusOf(newer.id)).toBe("bounced");
    expect(await project.statusOf(older.id)).toBe("sent");
  });

  it("matches no mail of another project or of another recipient", async () => {
    const [mine, other] = [await newProject(owner), await newProject(owner)];
    const theirs = await other.send();
    const own = await mine.send();
    const message_id = `${theirs.id}@postrider.test`;
    await mine.ingest({ email: theirs.to, message_id });
    await mine.ingest({ email: "someone@else.test", message_id: `${own.id}@postrider.test` });
    expect(await other.statusOf(theirs.id)).toBe("sent");
    expect(await mine.statusOf(own.id)).toBe("sent");
  });

  it("matches a broadcast to the subscriber if that is the newest mail", async () => {
    const project = await newProject(owner);
    const email = `${unique("reader")}@example.com`;
    clock.aheadMs = 0; // the deployed consumer sends broadcasts with the real clock
    const single = await project.send(email);
    const news = await broadcastTo(project, email);
    expect(news?.status).toBe("sent");
    await project.ingest({ email });
    expect(await project.statusOf(news?.id ?? "")).toBe("bounced");
    expect(await project.statusOf(single.id)).toBe("sent");
  });

  it("costs as little in a long log as in a short one", async () => {
    const project = await newProject(owner);
    const email = `${unique("reader")}@example.com`;
    clock.aheadMs = 0;
    await broadcastTo(project, email);
    await env.DB.batch([
      env.DB.prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
        insert into logged_mails (id, project_id, template_id, to_email, subject, status, sent_at)
        select printf('%08d', i) || substr(?1, 9), ?1, ?1, 'u' || (i % 100) || '@example.com', 's', 'sent', ?2 + i from n`,
      ).bind(project.id, Date.now() - 86_400_000),
      env.DB.prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
        insert into rollups (project_id, kind, grain, bucket_at, subject, sent)
        select ?1, 'log', 'hour', i * 3600000, '', 1 from n`,
      ).bind(project.id),
    ]);
    const url = await project.ingestUrl();
    service.d1.reset();
    await project.ingest([{ email: "u7@example.com" }, { email }], url);
    expect(service.d1.roundTrips).toBe(4); // the token, the mails, broadcast mails, the write
    expect(service.d1.rowsRead).toBeLessThan(200);
    const { body } = await owner.get<{ total: number }>(`${project.path}/logs?status=bounced`);
    expect(body.total).toBe(2);
  });
});

describe("a mailbox report about an address that only another project knows", async () => {
  const failureOf = (email: string, logId = "none") =>
    new TextEncoder().encode(
      [
        "From: daemon@isp.test",
        "Subject: report",
        "MIME-Version: 1.0",
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        "",
        "--b",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; isp.test",
        "",
        `Final-Recipient: rfc822; ${email}`,
        "Action: failed",
        "Status: 5.1.1",
        "",
        "--b",
        "Content-Type: text/rfc822-headers",
        "",
        `Message-ID: <${logId}@postrider.test>`,
        "",
        "--b--",
        "",
      ].join("\r\n"),
    );

  it("is ignored, whether the address belongs to a subscriber, a mail or a broadcast", async () => {
    const owner = await service.newOwner();
    const [mine, other] = [await newProject(owner), await newProject(owner)];
    clock.aheadMs = 0;
    const subscriber = `${unique("theirs")}@example.com`;
    await other.owner.post(`${other.path}/subscribers`, { email: subscriber });
    const mail = await other.send();
    const reader = `${unique("reader")}@example.com`;
    const news = await broadcastTo(other, reader);
    const deps = await service.deps();
    const reports = [
      failureOf(subscriber),
      failureOf(mail.to, mail.id), // the report names their mail
      failureOf(reader, news?.id),
    ];
    expect(await handleReports(deps, mine.id, reports)).toMatchObject({
      suppressed: 0,
      ignored: 3,
    });
    expect(await mine.suppressed()).toEqual([]);
    expect(await other.suppressed()).toEqual([]);
    // Both projects know this reader: the bounced mail belongs to the other one.
    await mine.owner.post(`${mine.path}/subscribers`, { email: reader });
    expect(await handleReports(deps, mine.id, [failureOf(reader, news?.id)])).toMatchObject({
      suppressed: 0,
      unverified: 1,
    });
    expect(await other.statusOf(news?.id ?? "")).toBe("sent");
    expect(await other.statusOf(mail.id)).toBe("sent");
    expect(await other.stats()).toMatchObject({ bounced: 0 });
  });
});

describe("a reported bounce", () => {
  const ERROR = 'no "such" user';

  async function bouncing() {
    const project = await newProject(await service.newOwner());
    const hook = await newWebhook(project.id);
    const ingest = (...emails: string[]) =>
      project.ingest(emails.map((email) => ({ email, reason: ERROR })));
    const bounced = async () =>
      (await hook.payloads()).filter(({ type }) => type === "email.bounced");
    return { ...project, ingest, bounced };
  }

  it("emits email.bounced with its log entry once, even if it is posted repeatedly", async () => {
    const { id, send, ingest, bounced } = await bouncing();
    const { id: logId, to } = await send();
    for (let time = 0; time < 3; time++) expect((await ingest(to, to)).status).toBe(200);
    expect(await bounced()).toEqual([
      {
        id: expect.any(String),
        type: "email.bounced",
        created_at: expect.any(String),
        project_id: id,
        data: {
          log_id: logId,
          to,
          subject: "Hello",
          template_id: null,
          subscriber_id: null,
          broadcast_id: null,
          error: ERROR,
          reason: "unknown",
        },
      },
    ]);
  });

  it("emits it for an address without any mail, with nulls for the unknown fields", async () => {
    const { ingest, bounced } = await bouncing();
    const [one, two] = [`${unique("one")}@any.test`, `${unique("two")}@any.test`];
    for (let time = 0; time < 2; time++) await ingest(one, two, one);
    const told = (await bounced()).map(({ data }) => data);
    expect(told).toHaveLength(2);
    for (const to of [one, two])
      expect(told).toContainEqual({
        log_id: null,
        to,
        subject: null,
        template_id: null,
        subscriber_id: null,
        broadcast_id: null,
        error: ERROR,
        reason: "unknown",
      });
  });

  it("emits it when only the log entry is new, or only the address", async () => {
    const { owner, path, send, ingest, bounced } = await bouncing();
    const { id: logId, to } = await send();
    await owner.post(`${path}/suppressions`, { emails: [to] });
    await ingest(to);
    expect(await bounced()).toMatchObject([{ data: { log_id: logId, to } }]);
    const refused = `rcpt.550.5.1.1.${unique("x")}@any.test`;
    await send(refused);
    await env.DB.prepare("delete from suppressions where email = ?").bind(refused).run();
    await ingest(refused);
    expect((await bounced()).map(({ data }) => data["to"])).toEqual([to, refused, refused]);
  });

  it("emits it for an address that only another project suppresses", async () => {
    const [{ ingest, bounced }, other] = [await bouncing(), await bouncing()];
    const email = `${unique("both")}@any.test`;
    await other.ingest(email);
    await ingest(email);
    expect(await bounced()).toMatchObject([{ data: { to: email } }]);
  });

  it("is not a provider's complaint: the mail stays sent and the address is suppressed", async () => {
    const { send, statusOf, suppressed, bounced, ...project } = await bouncing();
    const [first, second] = [await send(), await send()];
    const ingest = (body: object) =>
      service.fetch(url, { method: "POST", body: JSON.stringify(body) });
    const url = await project.ingestUrl();
    await ingest({ "event-data": { event: "complained", recipient: first.to } });
    await ingest({ email: second.to, type: "complaint", reason: "abuse" });
    const entry = { reason: "manual", source: "complaint" };
    const listed = await suppressed();
    expect(listed).toHaveLength(2);
    for (const { id, to } of [first, second]) {
      expect(listed).toContainEqual({ email: to, ...entry });
      expect(await statusOf(id)).toBe("sent");
    }
    expect(await bounced()).toEqual([]);
  });

  it("of a mailbox emits the same as the ingest URL, and a complaint emits none", async () => {
    const { id, send, bounced } = await bouncing();
    const [complaining, failing] = [await send(), await send()];
    const deps = await service.deps();
    const report = (type: string, part: string, ...fields: string[]) => {
      const head = `From: daemon@isp.test\r\nSubject: report\r\nMIME-Version: 1.0`;
      const kind = `Content-Type: multipart/report; report-type=${type}; boundary="b"`;
      const body = `--b\r\nContent-Type: ${part}\r\n\r\n${fields.join("\r\n")}\r\n\r\n--b--\r\n`;
      return new TextEncoder().encode(`${head}\r\n${kind}\r\n\r\n${body}`);
    };
    const complaint = report(
      "feedback-report",
      "message/feedback-report",
      "Feedback-Type: abuse",
      "User-Agent: isp/1",
      "Version: 1",
      `Original-Rcpt-To: ${complaining.to}`,
    );
    const failure = report(
      "delivery-status",
      "message/delivery-status",
      "Reporting-MTA: dns; isp.test",
      "",
      `Final-Recipient: rfc822; ${failing.to}`,
      "Action: failed",
      "Status: 5.1.1",
      "Diagnostic-Code: smtp; 550 5.1.1 nobody here",
    );
    expect(await handleReports(deps, id, [complaint, failure, failure])).toMatchObject({
      suppressed: 2,
      unreadable: 0,
    });
    const error = expect.stringContaining("nobody here");
    expect(await bounced()).toMatchObject([
      { data: { log_id: failing.id, to: failing.to, error } },
    ]);
    await handleReports(deps, id, [failure]);
    expect(await bounced()).toHaveLength(1);
  });
});
