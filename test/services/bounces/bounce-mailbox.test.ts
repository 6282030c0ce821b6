import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import type { BouncePollMessage } from "../../../src/queues/messages.ts";
import { systemContext } from "../../../src/context.ts";
import { pollMailbox, saveMailbox, selectMailbox } from "../../../src/services/bounces/index.ts";
import { selectProject } from "../../../src/services/projects/index.ts";
import { dropMessage, messageCount, newMailbox, seenCount } from "../../support/imap/dovecot.ts";
import { holding, startImapServer } from "../../support/imap/sessions.ts";
import { ports } from "../../support/ports.ts";
import {
  CAPTURING,
  createService,
  unique,
  type Client,
  type Service,
} from "../../support/service.ts";
import { eventually } from "../../support/times.ts";

const EVERY_FIVE_MINUTES = "*/5 * * * *";
const ACCOUNT = { enabled: true, host: "localhost", user: "ann", password: "secret" };

interface Settings {
  last_polled_at: string | null;
  last_error: string;
}

const clock = { aheadMs: 0 };
const service = createService({}, { now: () => Date.now() + clock.aheadMs });

async function newProject(owner: Client, via: Service = service) {
  const project = await owner.newProject(CAPTURING);
  const path = `/projects/${project.id}`;
  return {
    ...project,
    path,
    configure: (settings: object) => owner.put(`${path}/bounce-imap`, settings),
    settings: async () => (await owner.get<Settings>(`${path}/bounce-imap`)).body,
    poll: async () => {
      clock.aheadMs += 60_000; // long after any earlier poll
      return pollMailbox(await via.deps(), project.id);
    },
    send: async (to = `${unique("to")}@example.com`) => {
      const mail = { to, subject: "Hello", html_body: "<p>Hi</p>" };
      const { body } = await owner.post<{ id: string }>(`${path}/send`, mail);
      return { id: body.id, to };
    },
    statusOf: async (id: string) => {
      const { body } = await owner.get<{ logs: { id: string; status: string }[] }>(`${path}/logs`);
      return body.logs.find((entry) => entry.id === id)?.status;
    },
    suppressed: async () => {
      const { body } = await owner.get<{
        suppressions: { email: string; reason: string; source: string }[];
      }>(`${path}/suppressions?limit=200`);
      return body.suppressions.map(({ email, reason, source }) => ({ email, reason, source }));
    },
  };
}

/** Delivery report in the form of RFC 3464. */
function dsn(email: string, options: { status?: string; action?: string; id?: string } = {}) {
  const { status = "5.1.1", action = "failed", id = "unknown" } = options;
  const code = status.startsWith("5") ? "550" : "451";
  return `From: MAILER-DAEMON@mx.test (Mail Delivery System)
To: sender@postrider.test
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

Your message could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.test

Final-Recipient: rfc822; ${email}
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; ${code} ${status} user unknown

--b
Content-Type: text/rfc822-headers

From: sender@postrider.test
To: ${email}
Subject: Hello
Message-ID: <${id}@postrider.test>

--b--
`.replaceAll("\n", "\r\n");
}

/** Complaint in the form of RFC 5965. */
const complaint = (email: string, id: string) =>
  `From: feedback@isp.test
To: sender@postrider.test
Subject: complaint
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="b"

--b
Content-Type: text/plain

This is an abuse report.

--b
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: Some/1.0
Version: 1
Original-Rcpt-To: <${email}>

--b
Content-Type: message/rfc822

From: sender@postrider.test
To: ${email}
Subject: Hello
Message-ID: <${id}@postrider.test>

Hi
--b--
`.replaceAll("\n", "\r\n");

/** Project whose mailbox holds these messages. */
async function projectWith(owner: Client, messages: (to: string, id: string) => string[]) {
  const project = await newProject(owner);
  const mail = await project.send();
  const server = await startImapServer({ rules: holding(messages(mail.to, mail.id)) });
  await project.configure({ ...ACCOUNT, port: server.port });
  const stores = async () => (await server.commands()).filter((line) => line.includes("STORE"));
  return { ...project, mail, server, stores };
}

describe("the bounce mailbox settings", async () => {
  const owner = await service.newOwner();

  it("are disabled and have defaults until they are saved", async () => {
    const project = await newProject(owner);
    expect(await project.settings()).toEqual({
      enabled: false,
      host: "",
      port: 993,
      user: "",
      folder: "INBOX",
      last_polled_at: null,
      last_error: "",
    });
  });

  it("are saved without storing or showing the password, and recorded in the audit trail", async () => {
    const project = await newProject(owner);
    const saved = await project.configure({ ...ACCOUNT, port: 993, folder: "Bounces/Été" });
    expect(saved).toMatchObject({
      status: 200,
      body: { enabled: true, host: "localhost", port: 993, user: "ann", folder: "Bounces/Été" },
    });
    expect(await project.settings()).toEqual(saved.body);
    const stored = await env.DB.prepare("select * from bounce_imap where project_id = ?")
      .bind(project.id)
      .first();
    expect(JSON.stringify([saved.body, stored])).not.toContain("secret");
    const entry = await env.DB.prepare(
      "select metadata from audit_entries where scope_id = ? and action = 'bounce_imap.update'",
    )
      .bind(project.id)
      .first<{ metadata: string }>();
    expect(JSON.parse(entry?.metadata ?? "")).toEqual({
      enabled: true,
      host: "localhost",
      port: 993,
    });
  });

  it("keep a password that is omitted, and keep everything when disabled", async () => {
    const project = await projectWith(owner, () => []);
    const { port } = project.server;
    await project.configure({ ...ACCOUNT, password: undefined, port });
    expect(await project.poll()).toMatchObject({ kind: "polled" });
    const off = await project.configure({ enabled: false });
    expect(off.body).toMatchObject({ enabled: false, host: "localhost", port, user: "ann" });
    expect(await project.poll()).toEqual({ kind: "skipped" });
    expect((await project.configure({ enabled: false, host: "" })).body).toMatchObject({
      host: "",
    });
    expect((await project.server.commands())[0]).toContain(btoa("\0ann\0secret"));
  });

  it.each([
    [{}, /enabled/],
    [{ ...ACCOUNT }, /port/],
    [{ ...ACCOUNT, port: 993, host: "" }, /host/],
    [{ ...ACCOUNT, port: 993, user: undefined }, /user/],
    [{ ...ACCOUNT, port: 993, password: undefined }, /password/],
    [{ ...ACCOUNT, port: 143 }, /143 is plaintext/],
    [{ ...ACCOUNT, port: 70_000 }, /port/],
    [{ ...ACCOUNT, port: 993, host: "not a host" }, /host/],
    [{ ...ACCOUNT, port: 993, user: "a\r\nb" }, /user/],
    [{ ...ACCOUNT, port: 993, folder: "a\nb" }, /folder/],
  ])("reject %j", async (settings, reason) => {
    const project = await newProject(owner);
    const { status, body } = await project.configure(settings);
    expect([status, body["error"]]).toEqual([400, expect.stringMatching(reason)]);
    expect(await project.settings()).toMatchObject({ enabled: false, host: "" });
  });

  it.each([
    ["host", "imap.attacker.example"],
    ["port", 995],
    ["user", "eve"],
  ])(
    "require the password again when %s changes, and keep everything without it",
    async (field, to) => {
      const project = await newProject(owner);
      await project.configure({ ...ACCOUNT, port: 993 });
      const before = await project.settings();
      for (const change of [
        { ...ACCOUNT, port: 993, password: undefined, [field]: to },
        { ...ACCOUNT, port: 993, password: "", [field]: to },
        { enabled: false, [field]: to },
      ])
        expect(await project.configure(change)).toMatchObject({
          status: 400,
          body: { details: [{ path: "password", code: "required_again" }] },
        });
      expect(await project.settings()).toEqual(before);
      expect(await project.configure({ ...ACCOUNT, port: 993, [field]: to })).toMatchObject({
        status: 200,
        body: { [field]: to },
      });
      const audited = await env.DB.prepare(
        "select count(*) as entries from audit_entries where scope_id = ? and action = 'bounce_imap.update'",
      )
        .bind(project.id)
        .first();
      expect(audited).toEqual({ entries: 2 });
    },
  );

  it("never send the stored password to a host that is saved after the old one was cleared", async () => {
    const project = await newProject(owner);
    await project.configure({ ...ACCOUNT, port: 993 });
    await project.configure({ enabled: false, host: "" });
    const moved = { ...ACCOUNT, password: undefined, port: 994 };
    expect(await project.configure(moved)).toMatchObject({ status: 400 });
    await project.configure({ ...moved, enabled: false });
    expect(await project.configure(moved)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^password/) },
    });
  });

  it("never combine a new password with an old host if two saves interleave", async () => {
    const project = await newProject(owner);
    await project.configure({ ...ACCOUNT, port: 993 });
    const deps = await service.deps();
    const [row] = await selectProject(deps.db, project.id);
    if (!row) throw new Error("no project");
    const read = await selectMailbox(deps.db, project.id); // the read of a slower request
    await project.configure({ ...ACCOUNT, port: 993, host: "imap.other.example", password: "new" });
    const late = { enabled: true, host: "localhost", port: 993, user: "ann" };
    const saving = saveMailbox(systemContext(deps, "late"), row, read, {
      ...late,
      password: undefined,
      folder: undefined,
    });
    await expect(saving).rejects.toMatchObject({
      details: { details: [{ path: "password", code: "required_again" }] },
    });
    expect(await project.settings()).toMatchObject({ host: "imap.other.example" });
  });

  it("stay unchanged when a form is saved with an empty password, enabled or not", async () => {
    const project = await projectWith(owner, () => []);
    const { port } = project.server;
    const form = { ...ACCOUNT, port, folder: "INBOX", password: "" };
    expect(await project.configure({ ...form, enabled: false })).toMatchObject({ status: 200 });
    expect(await project.configure(form)).toMatchObject({ status: 200, body: { enabled: true } });
    expect(await project.poll()).toMatchObject({ kind: "polled" });
    expect((await project.server.commands())[0]).toContain(btoa("\0ann\0secret"));
  });

  it("reject hosts in private networks unless private targets are allowed", async () => {
    const guarded = createService({ ALLOW_PRIVATE_TARGETS: "false" });
    const stranger = await guarded.newOwner();
    const { id } = await stranger.newProject();
    for (const host of ["localhost", "10.0.0.1", "[::1]", "imap.internal"]) {
      const settings = { ...ACCOUNT, port: 993, host };
      expect(await stranger.put(`/projects/${id}/bounce-imap`, settings)).toMatchObject({
        status: 400,
      });
    }
  });
});

describe("POST /projects/{id}/bounce-imap/test", async () => {
  const owner = await service.newOwner();
  const test = (path: string) => owner.post(`${path}/bounce-imap/test`);

  it("counts unread messages and changes nothing", async () => {
    const project = await projectWith(owner, (to) => [dsn(to), dsn(to)]);
    expect(await test(project.path)).toMatchObject({
      status: 200,
      body: { message: "connected", unseen: 2 },
    });
    expect(await project.stores()).toEqual([]);
    expect(await project.suppressed()).toEqual([]);
    expect((await project.settings()).last_polled_at).toBeNull();
  });

  it("answers 429 after ten calls a minute by one user in one project, not to other callers", async () => {
    const project = await newProject(owner);
    const answers = [];
    for (let n = 0; n < 11; n++) answers.push((await test(project.path)).status);
    expect(answers).toEqual([...Array<number>(10).fill(400), 429]);
    expect((await test((await newProject(owner)).path)).status).toBe(400);
    const admin = await service.newOwner();
    await env.DB.prepare(
      "insert into workspace_members (workspace_id, user_id, role, joined_at) select workspace_id, (select id from users where email = ?), 'admin', 0 from projects where id = ?",
    )
      .bind(admin.email, project.id)
      .run();
    expect((await admin.post(`${project.path}/bounce-imap/test`)).status).toBe(400);
  });

  it("answers 400 while nothing is configured", async () => {
    const project = await newProject(owner);
    expect(await test(project.path)).toMatchObject({ status: 400 });
  });

  it("answers 502 with the reason when the login, the certificate or the folder is wrong", async () => {
    const refused = [{ send: "<tag> NO [AUTHENTICATIONFAILED] wrong\r\n" }];
    const missing = [{ send: "<tag> NO [NONEXISTENT] no such folder\r\n" }];
    for (const [script, code] of [
      [{ rules: [{ on: "AUTHENTICATE", steps: refused }] }, "login_refused"],
      [{ rules: [{ on: "SELECT", steps: missing }] }, "folder_missing"],
      [{ certificate: "untrusted" }, "tls_not_started"],
    ] as const) {
      const project = await newProject(owner);
      const { port } = await startImapServer(script as Parameters<typeof startImapServer>[0]);
      await project.configure({ ...ACCOUNT, port });
      const { status, body } = await test(project.path);
      expect({ status, ...body }).toMatchObject({ status: 502, params: { reason: { code } } });
      expect(JSON.stringify(body)).not.toContain("secret");
    }
  });
});

describe("a poll", async () => {
  const owner = await service.newOwner();

  it("suppresses the address of a report, marks its mail as bounced, and marks the report as seen", async () => {
    const project = await projectWith(owner, (to, id) => [dsn(to, { id })]);
    expect(await project.poll()).toEqual({
      kind: "polled",
      messages: 1,
      unreadable: 0,
      suppressed: 1,
      unverified: 0,
      ignored: 0,
    });
    const { to, id } = project.mail;
    const [entry] = await project.suppressed();
    expect(entry).toMatchObject({ email: to, reason: "hard_bounce" });
    expect(entry?.source).toContain("user unknown");
    expect(await project.statusOf(id)).toBe("bounced");
    expect(await project.stores()).toEqual([expect.stringContaining("UID STORE 1 +FLAGS.SILENT")]);
    expect((await project.server.commands()).join()).not.toMatch(/EXPUNGE|Deleted/i);
    expect(await project.settings()).toMatchObject({
      last_polled_at: expect.stringMatching(/Z$/),
      last_error: "",
    });
  });

  it("ignores and counts addresses that the project neither mailed nor has as subscribers", async () => {
    const subscriber = `${unique("reader")}@example.com`;
    const forged = Array.from({ length: 3 }, () => dsn(`${unique("victim")}@example.com`));
    const project = await projectWith(owner, (to, id) => [
      ...forged,
      dsn("other@example.com", { id }), // with a Message-ID of this project
      dsn(subscriber),
      dsn(to, { action: "delayed" }),
    ]);
    await owner.post(`${project.path}/subscribers`, { email: subscriber });
    expect(await project.poll()).toMatchObject({ messages: 6, unverified: 1, ignored: 4 });
    expect(await project.suppressed()).toEqual([]);
    expect(await project.statusOf(project.mail.id)).toBe("sent");
    expect(await project.stores()).toEqual([expect.stringContaining("STORE 1,2,3,4,5,6 ")]);
  });

  it("suppresses no address for a delay, a temporary failure, a full mailbox or an ordinary mail", async () => {
    const project = await projectWith(owner, (to) => [
      dsn(to, { action: "delayed", status: "4.4.1" }),
      dsn(to, { status: "4.2.1" }),
      dsn(to, { status: "5.2.2" }),
      `From: ${to}\r\nSubject: Re: Hello\r\n\r\nThanks!\r\n> 550 5.1.1 <${to}> unknown\r\n`,
    ]);
    expect(await project.poll()).toMatchObject({ messages: 4, suppressed: 0, ignored: 0 });
    expect(await project.suppressed()).toEqual([]);
    expect(await project.statusOf(project.mail.id)).toBe("sent");
  });

  it("suppresses a complaining address as manual and keeps the mail as sent", async () => {
    const project = await projectWith(owner, (to, id) => [complaint(to, id)]);
    expect(await project.poll()).toMatchObject({ suppressed: 1 });
    const { to, id } = project.mail;
    expect(await project.suppressed()).toEqual([
      { email: to, reason: "manual", source: "complaint" },
    ]);
    expect(await project.statusOf(id)).toBe("sent");
  });

  it("skips malformed messages", async () => {
    const project = await projectWith(owner, (to, id) => [
      "",
      "\u0000\u0001\r\n\r\n\r\n",
      `Content-Type: multipart/report; boundary="${"x".repeat(2_000)}"\r\n\r\n--`,
      dsn(to, { id }),
    ]);
    expect(await project.poll()).toMatchObject({ kind: "polled", messages: 4, suppressed: 1 });
    expect(await project.stores()).toHaveLength(1);
  });

  it("marks nothing as seen when the database fails, and repeats all of it in the next poll", async () => {
    const project = await projectWith(owner, (to, id) => [dsn(to, { id })]);
    service.d1.before = (sql) => {
      if (sql.some((text) => text.includes("insert into suppressions"))) throw new Error("D1 down");
    };
    const failed = await project.poll();
    service.d1.before = undefined;
    expect(failed).toMatchObject({ kind: "failed", error: "internal error" });
    expect(await project.stores()).toEqual([]);
    expect((await project.settings()).last_error).toBe("internal error");
    expect(await project.statusOf(project.mail.id)).toBe("sent");
    expect(await project.poll()).toMatchObject({ kind: "polled", suppressed: 1 });
    expect(await project.poll()).toMatchObject({ kind: "polled", suppressed: 0 });
    expect((await project.settings()).last_error).toBe("");
  });

  it("works in chunks of 20 messages, 500 messages at most", async () => {
    const project = await newProject(owner);
    const { port, commands } = await startImapServer({
      rules: [
        { on: "SELECT", steps: [{ send: "* 600 EXISTS\r\n<tag> OK done\r\n" }] },
        {
          on: "UID SEARCH",
          steps: [
            {
              send: `* SEARCH ${Array.from({ length: 600 }, (_, n) => n + 1).join(" ")}\r\n<tag> OK done\r\n`,
            },
          ],
        },
      ],
    });
    await project.configure({ ...ACCOUNT, port });
    await project.poll();
    const lines = await commands();
    expect(lines.filter((line) => line.includes("FETCH"))).toHaveLength(25);
    const seen = lines.flatMap((line) => /STORE ([\d,]+)/.exec(line)?.[1]?.split(",") ?? []);
    expect(seen).toHaveLength(500);
    expect(seen.at(-1)).toBe("500");
  });

  it("makes no more database calls for reports about thousands of unknown addresses", async () => {
    const strangers = Array.from(
      { length: 99 },
      (_, n) =>
        `Final-Recipient: rfc822; s${n}@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n`,
    ).join("");
    const project = await projectWith(owner, (to) =>
      Array.from({ length: 20 }, () =>
        dsn(to).replace("Final-Recipient", `${strangers}Final-Recipient`),
      ),
    );
    service.d1.reset();
    expect(await project.poll()).toMatchObject({ messages: 20, suppressed: 1, ignored: 20 * 99 });
    expect(service.d1.roundTrips).toBe(5); // claim, find, record, extend the lease, end
    expect(await project.suppressed()).toHaveLength(1);
  });

  it("stops cleanly at its time limit and leaves the rest to the next poll", async () => {
    const project = await projectWith(owner, (to, id) =>
      Array.from({ length: 60 }, () => dsn(to, { id })),
    );
    service.d1.before = (sql) => {
      if (sql.some((text) => text.includes("insert into suppressions"))) clock.aheadMs += 120_000;
    };
    const result = await project.poll();
    service.d1.before = undefined;
    expect(result.kind).toBe("polled");
    expect(await project.stores()).toHaveLength(2);
    expect((await project.settings()).last_error).toBe("");
  });

  it("skips a mailbox that another poll holds, and a deleted project", async () => {
    const project = await projectWith(owner, (to) => [dsn(to)]);
    clock.aheadMs += 60_000;
    const deps = await service.deps();
    const both = await Promise.all([pollMailbox(deps, project.id), pollMailbox(deps, project.id)]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(["polled", "skipped"]);
    expect(await pollMailbox(deps, crypto.randomUUID())).toEqual({ kind: "skipped" });
    await owner.delete(project.path);
    expect(await project.poll()).toEqual({ kind: "skipped" });
  });

  it("shows the mailbox error in last_error until it is fixed", async () => {
    const project = await newProject(owner);
    const { port } = await startImapServer({
      rules: [{ on: "AUTHENTICATE", steps: [{ send: "<tag> NO wrong password\r\n" }] }],
    });
    await project.configure({ ...ACCOUNT, port });
    expect(await project.poll()).toMatchObject({ kind: "failed" });
    expect(await project.settings()).toMatchObject({
      last_error: "the server refused the login: wrong password",
      last_error_code: "login_refused",
      last_error_params: { reply: "wrong password" },
    });
    const good = await startImapServer({});
    await project.configure({ ...ACCOUNT, port: good.port });
    expect((await project.settings()).last_error).toBe("");
    expect(await project.poll()).toMatchObject({ kind: "polled", messages: 0 });
  });
});

describe("every five minutes", () => {
  it("the queue gets one message for each enabled mailbox, 100 at most", async () => {
    const batches: string[][] = [];
    const queue = {
      sendBatch: async (messages: Iterable<{ body: BouncePollMessage }>) => {
        batches.push(Array.from(messages, ({ body }) => body.projectId));
      },
    } as unknown as Queue;
    const noting = createService({ BOUNCE_QUEUE: queue });
    const ids = Array.from({ length: 230 }, () => crypto.randomUUID());
    await env.DB.prepare(
      `insert into bounce_imap (project_id, enabled, host, port, user, password_sealed, folder)
        select value, key < 220, '', 993, '', '', 'INBOX' from json_each(?)`,
    )
      .bind(JSON.stringify(ids))
      .run();
    await runScheduled(await noting.deps(), EVERY_FIVE_MINUTES);
    await env.DB.prepare("delete from bounce_imap where host = ''").run();
    const queued = batches.flat().filter((id) => ids.includes(id));
    expect(queued.sort()).toEqual(ids.slice(0, 220).sort());
    expect(Math.max(...batches.map(({ length }) => length))).toBe(100);
  });

  it.runIf(ports.dovecot !== 0)(
    "the real queue processes the reports in a Dovecot mailbox",
    async () => {
      const live = createService();
      const project = await newProject(await live.newOwner(), live);
      const mail = await project.send();
      const { user, password } = await newMailbox();
      for (const report of [dsn(mail.to, { id: mail.id }), dsn("nobody@example.com")])
        await dropMessage(user, "INBOX", report);
      await project.configure({ ...ACCOUNT, port: ports.dovecot, user, password });
      await runScheduled(await live.deps(), EVERY_FIVE_MINUTES);
      await eventually(async () => expect(await seenCount(user, "INBOX")).toBe(2));
      expect(await messageCount(user, "INBOX")).toBe(2);
      expect((await project.suppressed()).map(({ email }) => email)).toEqual([mail.to]);
      expect(await project.statusOf(mail.id)).toBe("bounced");
    },
  );
});
