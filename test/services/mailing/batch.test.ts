import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { batchScenario, recipientsOf } from "../../support/batching.ts";
import { receivedMessages, waitForMessages } from "../../support/mailbox.ts";
import { CAPTURING, createService, unique, type Service } from "../../support/service.ts";
import { FAULTS } from "../../support/smtp/faults.ts";
import { startRawServer } from "../../support/smtp/raw-client.ts";
import { DAY, EVERY_MINUTE, EVERY_NIGHT, HOUR } from "../../support/times.ts";
import { deathOfWorker } from "../../support/refusals.ts";

interface LogEntry {
  subject: string;
  to_email: string;
  status: string;
  error: string | null;
}

/** Offset of a clock that tests can advance: leases last minutes. */
let aheadMs = 0;
const service = createService({}, { now: () => Date.now() + aheadMs });
const owner = await service.newOwner();

/** A project with a sender of its own, which tells its mails apart in the shared inbox. */
async function newSender() {
  const from = `${unique("news")}@postrider.test`;
  const project = await owner.newProject({ ...CAPTURING, fromEmail: from });
  const { body } = await owner.post<{ id: string }>(`/projects/${project.id}/templates`, {
    name: "news",
    subject: "No. {{n}}",
    html_body: '<p>Hello {{n}} <a href="https://a.test/{{n}}">more</a></p>',
  });
  const path = `/projects/${project.id}/send`;
  const logs = async () => {
    const entries: LogEntry[] = [];
    for (let offset = 0; ; offset += 200) {
      const { body: page } = await owner.get<{ logs: LogEntry[] }>(
        `/projects/${project.id}/logs?limit=200&offset=${offset}`,
      );
      entries.push(...page.logs);
      if (page.logs.length < 200) return entries;
    }
  };
  const stats = async () => (await owner.get(`/projects/${project.id}/stats`)).body;
  return { ...project, from, templateId: body.id, path, logs, stats };
}

type Sender = Awaited<ReturnType<typeof newSender>>;

const recipients = (count: number, word = unique("r")) =>
  Array.from({ length: count }, (_, n) => ({ to: `${word}-${n}@any.test`, data: { n } }));

const batch = (sender: Sender, list: object[], headers?: Record<string, string>) =>
  owner.post(`${sender.path}/batch`, { template_id: sender.templateId, recipients: list }, headers);

const sweep = async () => runScheduled(await service.deps(), EVERY_MINUTE);
const nightly = async () => runScheduled(await service.deps(), EVERY_NIGHT);

/** Runs `work` while write number `which` of its kind fails, before or after it takes effect. */
async function withDatabaseFailing<T>(
  when: "before" | "after",
  isMeant: (sql: string[]) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  service.d1[when] = (sql) => {
    // A refusal is never repeated, as a dead worker repeats nothing.
    if (isMeant(sql)) throw deathOfWorker("the worker died here");
  };
  try {
    return await work();
  } finally {
    service.d1[when] = undefined;
  }
}

const isRecord = (sql: string[]) => sql.some((text) => text.includes("insert into log_entries"));

describe("POST /projects/{id}/send/batch", () => {
  it("sends a template to each recipient with its own data and counts them", async () => {
    const sender = await newSender();
    const answer = await batch(sender, recipients(130));
    expect(answer).toMatchObject({
      status: 200,
      body: { sent: 130, failed: 0, bounced: 0, suppressed: 0 },
    });
    const received = await waitForMessages({ from: sender.from }, 130);
    expect(new Set(received.map(({ to }) => to[0])).size).toBe(130);
    expect(
      received.every(({ to, text }) =>
        text.includes(`Subject: No. ${to[0]?.match(/-(\d+)@/)?.[1]}\r\n`),
      ),
    ).toBe(true);
    expect(await sender.logs()).toHaveLength(130);
    expect(await sender.stats()).toMatchObject({ total: 130, sent: 130, failed: 0 });
  });

  it("counts SMTP rejections and suppressed recipients as failed and distinguishes them", async () => {
    const sender = await newSender();
    const list = recipients(6);
    const bad = { to: `rcpt.550.5.1.1.${unique("x")}@any.test` };
    const refused = { to: `rcpt.550.5.7.1.${unique("x")}@any.test` };
    await batch(sender, [bad]);
    const answer = await batch(sender, [...list, bad, refused]);
    expect(answer.body).toMatchObject({ sent: 6, failed: 2, bounced: 0, suppressed: 1 });
    expect(await sender.stats()).toMatchObject({ sent: 6, failed: 1, bounced: 1, suppressed: 1 });
  });

  it("sends duplicate addresses as given", async () => {
    const sender = await newSender();
    const [one] = recipients(1);
    expect((await batch(sender, [one ?? {}, one ?? {}])).body).toMatchObject({ sent: 2 });
    expect(await waitForMessages({ from: sender.from }, 2)).toHaveLength(2);
  });

  it("counts a recipient whose data breaks the template as failed and mails the others", async () => {
    const sender = await newSender();
    await owner.put(`/projects/${sender.id}/templates/${sender.templateId}`, {
      html_body: "News {{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}",
    });
    const [one] = recipients(1);
    const hostile = {
      to: `${unique("h")}@any.test`,
      data: { a: Array.from({ length: 400 }, () => 1) },
    };
    expect((await batch(sender, [hostile, one ?? {}])).body).toMatchObject({ sent: 1, failed: 1 });
    expect(await sender.logs()).toContainEqual(
      expect.objectContaining({
        to_email: hostile.to,
        status: "failed",
        error: expect.stringContaining("too many steps"),
      }),
    );
  });

  it("puts each recipient's data into the subject of the call", async () => {
    const sender = await newSender();
    const body = {
      template_id: sender.templateId,
      recipients: recipients(2),
      subject: "Issue {{n}}",
    };
    expect((await owner.post(`${sender.path}/batch`, body)).body).toMatchObject({ sent: 2 });
    expect((await sender.logs()).map(({ subject }) => subject).toSorted()).toEqual([
      "Issue 0",
      "Issue 1",
    ]);
  });

  it("lists the first 100 failed recipients with status and reason, and repeats the list", async () => {
    const sender = await newSender();
    const blocked = `${unique("blocked")}@any.test`;
    await owner.post(`/projects/${sender.id}/suppressions`, { emails: [blocked] });
    const bad = Array.from({ length: 119 }, (_, n) => `rcpt.550.5.7.1.${unique(`b${n}`)}@any.test`);
    const list = [...recipients(2), ...[blocked, ...bad].map((to) => ({ to }))];
    const headers = { "Idempotency-Key": unique("key") };
    const { body } = await batch(sender, list, headers);
    const failures = body["failures"] as {
      index: number;
      to: string;
      status: string;
      error: string;
    }[];
    expect(body).toMatchObject({ sent: 2, failed: 120, suppressed: 1 });
    expect(failures).toHaveLength(100);
    expect(new Set(failures.map(({ to }) => to)).size).toBe(100);
    for (const { index, to } of failures) expect(list[index]).toMatchObject({ to });
    expect(failures).toContainEqual({
      index: 2,
      to: blocked,
      status: "suppressed",
      error: "the address is on the suppression list",
      code: "suppressed",
    });
    const refused = failures.filter(({ to }) => bad.includes(to));
    expect(refused).toHaveLength(99);
    for (const { status, error } of refused)
      expect([status, error]).toEqual(["failed", expect.stringContaining("550")]);
    expect((await batch(sender, list, headers)).body).toEqual(body);
    expect((await batch(sender, recipients(1))).body).toMatchObject({ sent: 1, failures: [] });
  });

  it("answers 400 to a subject that does not parse and starts nothing", async () => {
    const sender = await newSender();
    const body = { template_id: sender.templateId, recipients: recipients(1), subject: "{{#if" };
    const headers = { "Idempotency-Key": unique("key") };
    expect(await owner.post(`${sender.path}/batch`, body, headers)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^subject: /) },
    });
    expect(await sender.logs()).toEqual([]);
    const again = { ...body, subject: "x" }; // the key is still free
    expect((await owner.post(`${sender.path}/batch`, again, headers)).body).toMatchObject({
      sent: 1,
    });
  });

  it("fails all recipients without trying each when the server is unreachable", async () => {
    const sender = await newSender();
    const { port, log } = await startRawServer(FAULTS.closesAtConnect);
    await service.env.DB.prepare("update projects set smtp_port = ? where id = ?")
      .bind(port, sender.id)
      .run();
    expect((await batch(sender, recipients(300))).body).toMatchObject({ sent: 0, failed: 300 });
    expect((await log()).connections.length).toBeLessThan(10);
    expect(await sender.logs()).toHaveLength(300);
  });

  it.each([
    ["no recipients", { recipients: [] }],
    ["10,001 recipients", { recipients: recipients(10_001) }],
    ["no template", { template_id: undefined }],
  ])("answers 400 to the whole batch: %s", async (_name, change) => {
    const sender = await newSender();
    const body = { template_id: sender.templateId, recipients: recipients(1), ...change };
    const answer = await owner.post(`${sender.path}/batch`, body);
    expect(answer.status).toBe(400);
    expect(await sender.logs()).toEqual([]);
  });

  it("fails recipients of a wrong form alone, names their places and mails the rest", async () => {
    const sender = await newSender();
    const [first, last] = recipients(2);
    const data = { x: "x".repeat(500_000) };
    const faulty = [
      [{ to: "a@b.test\nx" }, "a@b.test\nx", "invalid_address", /^to: is not an email address: /],
      [
        { to: `${"a".repeat(300)}@b.test` },
        "a".repeat(254),
        "invalid_address",
        /^to: is not an email address: /,
      ],
      [{ to: 7 }, "", "invalid_type", /^to: must be a string$/],
      [{ data: {} }, "", "required", /^to: is required$/],
      [null, "", "body_type", /must be an object$/],
      [
        { to: "Ben <B@any.test>", data: "x" },
        "b@any.test",
        "invalid_type",
        /^data: must be an object$/,
      ],
      [
        { to: "c@any.test", data },
        "c@any.test",
        "json_too_long",
        /^data: must have at most 500000 /,
      ],
    ] as const;
    const hostile = JSON.parse('{"to":"d@any.test","data":{"__proto__":1}}') as object;
    const list = [first, ...faulty.map(([given]) => given), hostile, last];
    const body = { template_id: sender.templateId, recipients: list, on_error: "skip" };
    const answer = await owner.post(`${sender.path}/batch`, body);
    const failures = [
      ...faulty.map(
        ([, to, code, error], n) => [n + 1, to, code, expect.stringMatching(error)] as const,
      ),
      [8, "d@any.test", "reserved_name", expect.stringMatching(/^data.__proto__: /)] as const,
    ].map(([index, to, code, error]) => ({ index, to, status: "failed", code, error }));
    expect(answer).toMatchObject({ status: 200, body: { sent: 2, failed: 8 } });
    expect(answer.body["failures"]).toEqual(failures);
    const received = await waitForMessages({ from: sender.from }, 2);
    expect(new Set(received.map(({ to }) => to[0]))).toEqual(new Set([first?.to, last?.to]));
    const failed = (await sender.logs()).filter(({ status }) => status === "failed");
    expect(failed.map(({ to_email: to }) => to).toSorted()).toEqual(
      failures.map(({ to }) => to).toSorted(),
    );
  });

  it("is refused as a whole for a recipient of a wrong form with `on_error: refuse`", async () => {
    const sender = await newSender();
    const [first] = recipients(1);
    const faulty = [{ to: "x" }, { to: "b@any.test", data: "x" }];
    const body = { template_id: sender.templateId, recipients: [first, ...faulty] };
    const path = `${sender.path}/batch`;
    const refused = await owner.post(path, { ...body, on_error: "refuse" });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: "invalid_request",
        error: expect.stringMatching(/^recipients\.1\.to: is not an email address: /),
        details: [
          { path: "recipients.1.to", code: "invalid_address" },
          { path: "recipients.2.data", code: "invalid_type" },
        ],
      },
    });
    expect(await sender.logs()).toEqual([]);
    const valid = { ...body, recipients: [first], on_error: "refuse" };
    expect((await owner.post(path, valid)).body).toMatchObject({ sent: 1, failed: 0 });
  });

  it("gives each failure the code of its cause", async () => {
    const sender = await newSender();
    const unknown = `rcpt.550.5.1.1.${unique("u")}@any.test`;
    expect((await batch(sender, [{ to: unknown }])).body).toMatchObject({
      failures: [{ index: 0, to: unknown, status: "bounced", code: "user_unknown" }],
    });
    const template = { name: "empty", subject: "Hi", html_body: "{{text}}" };
    const empty = await owner.post(`/projects/${sender.id}/templates`, template);
    const to = `${unique("empty")}@any.test`;
    const body = { template_id: empty.body["id"], recipients: [{ to }] };
    expect((await owner.post(`${sender.path}/batch`, body)).body).toMatchObject({
      failures: [{ index: 0, to, status: "failed", code: expect.stringMatching(/^[a-z_]+$/) }],
    });
  });

  it("answers 404 to another project's template", async () => {
    const [sender, other] = [await newSender(), await newSender()];
    const body = { template_id: other.templateId, recipients: recipients(1) };
    expect((await owner.post(`${sender.path}/batch`, body)).status).toBe(404);
  });
});

describe("a worker that outlives its lease", () => {
  /** Another worker of the same service: its database can be delayed alone. */
  const newWorker = () => createService({}, { now: () => Date.now() + aheadMs });

  /** Runs `work`. Its first record waits until `meanwhile` ends, when the lease has expired. */
  async function lateWith<T>(
    meanwhile: () => Promise<unknown>,
    work: (late: Service) => Promise<T>,
  ) {
    const late = newWorker();
    let isHeld = false;
    late.d1.before = async (sql) => {
      if (isHeld || !isRecord(sql)) return;
      isHeld = true;
      aheadMs += 3 * 60_000;
      await meanwhile();
    };
    return work(late);
  }

  it("leaves the outcome of a single send unknown, as the sweep recorded it", async () => {
    const sender = await newSender();
    const to = `${unique("late")}@any.test`;
    const post = (worker: Service) =>
      worker
        .withKey(sender.key)
        .post(sender.path, { to, subject: "x", html_body: "y" }, { "Idempotency-Key": "late" });
    await lateWith(sweep, post);
    expect(await sender.logs()).toMatchObject([{ status: "failed", error: "outcome unknown" }]);
    expect(await sender.stats()).toMatchObject({ total: 1, sent: 0, failed: 1 });
    expect(await post(service)).toMatchObject({ status: 502, body: { error: "outcome unknown" } });
    expect(await receivedMessages(to)).toHaveLength(1);
  });

  it("suppresses no bounced address after another worker recorded the mail", async () => {
    const sender = await newSender();
    const to = `rcpt.550.5.1.1.${unique("late")}@any.test`;
    const post = (worker: Service) =>
      worker
        .withKey(sender.key)
        .post(sender.path, { to, subject: "x", html_body: "y" }, { "Idempotency-Key": "back" });
    await lateWith(sweep, post);
    const { body } = await owner.get(`/projects/${sender.id}/suppressions`);
    expect(body).toEqual({ suppressions: [], total: 0 });
    expect(await sender.stats()).toMatchObject({ total: 1, failed: 1, bounced: 0 });
  });

  it("keeps its answer when it records just before another worker takes the send over", async () => {
    const sender = await newSender();
    const to = `${unique("late")}@any.test`;
    const post = (worker: Service) =>
      worker
        .withKey(sender.key)
        .post(sender.path, { to, subject: "x", html_body: "y" }, { "Idempotency-Key": "just" });
    const next = newWorker();
    const [isTaking, lateIsOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    next.d1.before = async (sql) => {
      if (!sql.some((text) => text.startsWith('update "send_operations"'))) return;
      next.d1.before = undefined;
      isTaking.resolve();
      await lateIsOver.promise;
    };
    let second: ReturnType<typeof post> | undefined;
    const first = await lateWith(async () => {
      second = post(next);
      await isTaking.promise;
    }, post);
    expect(first.status).toBe(200);
    lateIsOver.resolve();
    expect((await second)?.status).toBe(409);
    expect(await post(service)).toMatchObject({ status: 200, body: first.body });
    expect(await sender.logs()).toMatchObject([{ status: "sent" }]);
  });
});

describe("Idempotency-Key on a single send", async () => {
  const sender = await newSender();
  const body = (to: string) => ({ to, subject: "Once", html_body: "<p>x</p>" });
  const send = (to: string, key: string) =>
    owner.post(sender.path, body(to), { "Idempotency-Key": key });
  const address = () => `${unique("once")}@any.test`;

  it("returns the first answer to the same request and does not send again", async () => {
    const [to, key] = [address(), unique("key")];
    const first = await send(to, key);
    expect(await send(to, key)).toMatchObject({ status: 200, body: first.body });
    expect(await receivedMessages(to)).toHaveLength(1);
  });

  it("returns a first failure again, too", async () => {
    const [to, key] = [`data.554.5.6.0.${unique("x")}@any.test`, unique("key")];
    const first = await send(to, key);
    expect(first.status).toBe(502);
    expect(await send(to, key)).toMatchObject({ status: 502, body: first.body });
  });

  it("answers 409 to the same key with another body", async () => {
    const key = unique("key");
    await send(address(), key);
    expect(await send(address(), key)).toMatchObject({ status: 409 });
  });

  it("sends once for ten simultaneous copies of a request", async () => {
    const [to, key] = [`slow.300.${unique("x")}@any.test`, unique("key")];
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(to, key)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    const running = answers.find(({ status }) => status === 409);
    expect(Number(running?.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await receivedMessages(to)).toHaveLength(1);
  });

  it("never sends again after the worker died between acceptance and log", async () => {
    const [to, key] = [address(), unique("key")];
    const died = await withDatabaseFailing("before", isRecord, () => send(to, key));
    expect(died.status).toBe(409);
    expect(await receivedMessages(to)).toHaveLength(1);
    const running = await send(to, key);
    expect(running.status).toBe(409);
    expect(running.headers.get("Retry-After")).toBe("2"); // not the whole lease of 120 s
    aheadMs += 3 * 60_000;
    const again = await send(to, key);
    expect(again).toMatchObject({ status: 502, body: { error: "outcome unknown" } });
    expect(await send(to, key)).toMatchObject({ status: 502, body: again.body });
    expect(await receivedMessages(to)).toHaveLength(1);
    const entries = (await sender.logs()).filter(({ to_email: email }) => email === to);
    expect(entries).toEqual([
      expect.objectContaining({ status: "failed", error: "outcome unknown" }),
    ]);
  });

  it("logs the mail once when only the answer of the record was lost", async () => {
    const [to, key] = [address(), unique("key")];
    await withDatabaseFailing("after", isRecord, () => send(to, key));
    expect((await send(to, key)).status).toBe(200);
    expect((await sender.logs()).filter(({ to_email: email }) => email === to)).toHaveLength(1);
  });

  it("lasts 24 hours to the millisecond and is then free for another request", async () => {
    const [to, key, start] = [address(), unique("key"), Date.now() + aheadMs];
    let at = start;
    const timed = createService({}, { now: () => at }).withKey(sender.key);
    const sendAt = (time: number, email: string) => {
      at = time;
      return timed.post(sender.path, body(email), { "Idempotency-Key": key });
    };
    const first = await sendAt(start, to);
    expect(await sendAt(start + DAY - 1, to)).toMatchObject({ status: 200, body: first.body });
    expect((await sendAt(start + DAY - 1, address())).status).toBe(409);
    expect((await sendAt(start + DAY, address())).status).toBe(200);
    expect(await receivedMessages(to)).toHaveLength(1);
  });

  it("lasts 24 hours even when the nightly clean-up runs meanwhile", async () => {
    const [to, key] = [address(), unique("key")];
    const first = await send(to, key);
    aheadMs += 23 * HOUR;
    await nightly();
    expect(await send(to, key)).toMatchObject({ status: 200, body: first.body });
    expect(await receivedMessages(to)).toHaveLength(1);
    aheadMs += 2 * HOUR;
    await nightly();
    const left = await service.env.DB.prepare(
      "select count(*) as n from send_operations where project_id = ? and idempotency_key = ?",
    )
      .bind(sender.id, key)
      .first<number>("n");
    expect(left).toBe(0);
  });

  it("is recorded as unknown even when the nightly clean-up runs first, a day late", async () => {
    const [to, key] = [address(), unique("key")];
    await withDatabaseFailing("before", isRecord, () => send(to, key));
    aheadMs += 25 * HOUR;
    await nightly();
    expect(await send(to, key)).toMatchObject({ status: 502, body: { error: "outcome unknown" } });
    const entries = (await sender.logs()).filter(({ to_email: email }) => email === to);
    expect(entries).toMatchObject([{ status: "failed", error: "outcome unknown" }]);
    expect(await receivedMessages(to)).toHaveLength(1);
  });

  it("is recorded by the next sweep, however many sends have expired", async () => {
    const [to, key] = [address(), unique("key")];
    await withDatabaseFailing("before", isRecord, () => send(to, key));
    await service.env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 30)
       insert into send_operations (id, project_id, kind, request_hash, state, lease_token, lease_until, in_flight, created_at)
       select ?1 || i, ?2, 'send', '', 'done', '', i, '[]', ?3 from n`,
    )
      .bind(unique("over"), sender.id, Date.now() + aheadMs)
      .run();
    aheadMs += 3 * 60_000;
    await sweep();
    const entries = (await sender.logs()).filter(({ to_email: email }) => email === to);
    expect(entries).toMatchObject([{ status: "failed", error: "outcome unknown" }]);
  });

  it("is separate in each project", async () => {
    const other = await newSender();
    const [to, key] = [address(), unique("key")];
    const first = await send(to, key);
    const there = await owner.post(other.path, body(to), { "Idempotency-Key": key });
    expect(there.status).toBe(200);
    expect(there.body["id"]).not.toBe(first.body["id"]);
    expect(await receivedMessages(to)).toHaveLength(2);
  });

  it("sends once when an equal request finishes between the read and the claim of another", async () => {
    const [to, key] = [address(), unique("key")];
    const slow = createService({}, { now: () => Date.now() + aheadMs });
    let first: ReturnType<typeof send> | undefined;
    slow.d1.before = async (sql) => {
      if (!sql.some((text) => text.startsWith('insert into "send_operations"'))) return;
      slow.d1.before = undefined;
      first = send(to, key);
      await first;
    };
    const second = await slow
      .withKey(sender.key)
      .post(sender.path, body(to), { "Idempotency-Key": key });
    expect((await first)?.status).toBe(200);
    expect(second.status).toBe(409);
    expect(await receivedMessages(to)).toHaveLength(1);
  });

  it("costs three D1 round trips: read, claim, record", async () => {
    service.d1.reset();
    await send(address(), unique("key"));
    expect(service.d1.roundTrips).toBe(3);
  });

  it.each(["with space", "é", "x".repeat(256)])(
    "is refused with 400 when it is %j",
    async (key) => {
      expect((await send(address(), key)).status).toBe(400);
    },
  );
});

describe("the log of a batch", () => {
  it("lists the batch's mails in the order of its recipients, in bounded reads, to its project alone", async () => {
    const all = await batchScenario();
    const { news, owner: someone, service: counted } = all;
    const refused = recipientsOf(news, 2, "rcpt.550.5.1.1.b");
    const list = [...recipientsOf(news, 5), ...refused, ...recipientsOf(news, 4, "c")];
    const id = await all.start(list);
    const logPath = `${news.path}/logs?batch_id=${id}`;
    type Page = { logs: LogEntry[]; next: string | null };
    const read = async (query: string) => (await someone.get<Page>(logPath + query)).body;
    expect(await read("")).toEqual({ logs: [], next: null });
    await all.work();
    const other = await all.start(recipientsOf(news, 3, "d"));
    await all.work();
    expect((await someone.get<Page>(`${news.path}/logs?batch_id=${other}`)).body.logs).toHaveLength(
      3,
    );

    const found: string[] = [];
    let [after, pages] = ["", 0];
    do {
      counted.d1.reset();
      const page = await read(`&limit=4&after=${after}`);
      const { roundTrips, rowsRead } = counted.d1;
      expect([roundTrips, rowsRead <= 24 ? 24 : rowsRead]).toEqual([2, 24]);
      found.push(...page.logs.map(({ to_email: email }) => email));
      after = page.next ?? "";
      pages += 1;
    } while (after !== "" && pages < 9);
    expect([found, pages]).toEqual([list.map(({ to }) => to), 3]);

    const emails = async (query: string) => (await read(query)).logs.map((one) => one.to_email);
    const bounced = refused.map(({ to }) => to);
    expect(await emails("&status=bounced")).toEqual(bounced);
    expect(await emails(`&to_email=${list[9]?.to}`)).toEqual([list[9]?.to]);
    expect(await emails("&status=bounced&limit=1")).toEqual(bounced.slice(0, 1));
    expect(await emails("&to=2020-01-01T00:00:00Z")).toEqual([]);
    const stranger = await counted.newOwner();
    const { id: theirs } = await stranger.newProject();
    const refusals = [
      await stranger.get(`/projects/${theirs}/logs?batch_id=${id}`),
      await someone.get(`${news.path}/logs?batch_id=${theirs}`),
    ];
    expect(refusals.map(({ status, body }) => [status, body["error"]])).toEqual([
      [404, "batch not found"],
      [404, "batch not found"],
    ]);
  });
});
