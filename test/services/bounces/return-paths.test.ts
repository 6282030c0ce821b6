/* Return paths: the token in each mail's envelope sender, and the reports that come back to it. */
import { describe, expect, it } from "vitest";
import { handleReports } from "../../../src/services/bounces/handle-reports.ts";
import { pollMailbox } from "../../../src/services/bounces/index.ts";
import { complaintReport, failureReport } from "../../support/bounce-reports.ts";
import { newNewsletter, scenario } from "../../support/broadcasting.ts";
import { waitForMessage } from "../../support/mailbox.ts";
import { messageCount, RETURNED_MAIL, seenCount } from "../../support/imap/dovecot.ts";
import { ports } from "../../support/ports.ts";
import { allRows } from "../../support/rows.ts";
import { createService, unique } from "../../support/service.ts";
import { TEST_SETTINGS } from "../../support/settings.ts";
import { eventually } from "../../support/times.ts";

const service = createService();
const deps = await service.deps();
const owner = await service.newOwner();
const PATTERN = "bounces+{token}@bounce.postrider.test";
const TOKEN = "[a-z2-7]{42}";
const FILLED = new RegExp(`^bounces\\+${TOKEN}@bounce\\.postrider\\.test$`);
const text = (raw: Uint8Array) => new TextDecoder().decode(raw);
const bytes = (raw: string) => new TextEncoder().encode(raw);
const lines = (...all: string[]) => bytes(all.join("\r\n"));

async function newProject(pattern = PATTERN) {
  const news = await newNewsletter(service, owner);
  const { path, id } = news;
  const saved = await owner.put(`${path}/bounce-settings`, { return_path: pattern });
  expect(saved.status).toBe(200);
  const send = async (fields: object = {}) => {
    const to = `${unique("reader")}@any.test`;
    const mail = { to, subject: "Hello", html_body: "<p>Hi</p>", ...fields };
    const { body } = await owner.post<{ id: string }>(`${path}/send`, mail);
    const { from } = await waitForMessage(to);
    return { to, logId: body.id, from };
  };
  return {
    ...news,
    send,
    report: (...reports: Uint8Array[]) => handleReports(deps, id, reports),
    suppressed: () =>
      allRows<{ email: string; reason: string }>(
        "select email, reason from suppressions where project_id = ?",
        id,
      ),
    unverified: async () =>
      (await owner.get<{ reports: object[] }>(`${path}/bounces/unverified`)).body.reports,
    statusOf: async (logId: string) =>
      (await allRows("select status from logged_mails where id = ?", logId))[0]?.["status"],
  };
}

/** A report that names its recipient and quotes nothing, with one field before it. */
const reportWith = (field: string, email: string) =>
  bytes(`${field}\r\n${text(failureReport(email))}`);
const deliveredTo = (address: string, email: string) =>
  reportWith(`Delivered-To: ${address}`, email);

/** A failure that names no address at all. */
const nameless = (address: string, words = "550 5.1.1 No such user here") =>
  lines(
    `To: <${address}>`,
    "From: MAILER-DAEMON@mx.test",
    "Subject: Undelivered Mail Returned to Sender",
    "",
    "Your message could not be delivered:",
    words,
    "",
  );

/** Changes the last character that carries nothing but bits of the MAC. */
const forge = (address: string) =>
  address.replace(new RegExp(`(${TOKEN})@`), (_, token: string) => {
    const last = token.at(-2) === "a" ? "b" : "a";
    return `${token.slice(0, -2)}${last}${token.at(-1)}@`;
  });

describe("the setting return_path", () => {
  it("is null by default, makes proof required while it is set, and is cleared by an empty one", async () => {
    const { id } = await owner.newProject();
    const save = (body: object) => owner.put(`/projects/${id}/bounce-settings`, body);
    const settings = await owner.get(`/projects/${id}/bounce-settings`);
    expect(settings.body).toMatchObject({ return_path: null, bounce_proof: "recent" });
    const given = { return_path: " Bounces+{Token}@Bounce.postrider.TEST " };
    expect((await save(given)).body).toMatchObject({
      return_path: PATTERN,
      bounce_proof: "required",
    });
    expect((await save({ bounce_proof: "recent" })).body).toMatchObject({
      return_path: PATTERN,
      bounce_proof: "recent",
    });
    expect((await save({ return_path: "" })).body).toMatchObject({ return_path: null });
  });

  it.each([
    "bounces@bounce.example.com",
    "{token}+{token}@bounce.example.com",
    "bounces@{token}.example.com",
    "bounces+{token}",
    "{token}@",
    "bounces+{token}@bounce",
    `${"b".repeat(23)}{token}@bounce.example.com`,
    "bounces+{token}..@bounce.example.com",
    "bounces {token}@bounce.example.com",
    "jörg+{token}@bounce.example.com",
    "bounces+{token}@bounce.example.com\r\n",
    "bounces+{token}@bounce.example.com\r\nRCPT TO:<a@b.example>",
    "bounces+{token}@a.example>,<b@c.example",
  ])("rejects %j and keeps the previous value", async (given) => {
    const { id } = await owner.newProject();
    const path = `/projects/${id}/bounce-settings`;
    expect(await owner.put(path, { return_path: given })).toMatchObject({ status: 400 });
    expect((await owner.get(path)).body).toMatchObject({ return_path: null });
  });

  it.each(["{token}@b.example", `${"b".repeat(22)}{token}@b.example`, "b-{token}-x@b.example"])(
    "accepts %j, whose token is returned",
    async (pattern) => {
      const project = await newProject(pattern);
      const { to, from } = await project.send();
      expect(await project.report(deliveredTo(from, to))).toMatchObject({ suppressed: 1 });
    },
  );
});

describe("with a return path, the envelope sender carries a token", () => {
  it("in single mail and its copies, which costs no more database calls than without", async () => {
    const project = await newProject();
    await project.send();
    const cost = async (pattern: string) => {
      await owner.put(`${project.path}/bounce-settings`, { return_path: pattern });
      service.d1.reset();
      const { from } = await project.send();
      return { from, trips: service.d1.roundTrips, written: service.d1.rowsWritten };
    };
    const { from: plain, ...without } = await cost("");
    const { from, ...costs } = await cost(PATTERN);
    expect(plain).toBe(project.from);
    expect(from).toMatch(FILLED);
    expect(costs).toEqual(without);
    expect((await project.send({ cc: [`${unique("copy")}@any.test`] })).from).toMatch(FILLED);
  });

  it("in each mail of a batch, in mail that was pending, and nowhere in the message", async () => {
    const project = await newProject();
    const to = [1, 2].map(() => `${unique("batch")}@any.test`);
    await owner.post(`${project.path}/send/batch`, {
      template_id: project.templateId,
      recipients: to.map((email) => ({ to: email })),
    });
    const email = `${unique("pending")}@any.test`;
    const key = await owner.post<{ key: string }>(`${project.path}/api-keys`, {
      name: "p",
      type: "pk",
    });
    const joined = { email, sendWelcomeEmail: true };
    expect((await service.withKey(key.body.key).post("/join", joined)).status).toBe(201);
    const received = await Promise.all([...to, email].map((one) => waitForMessage(one)));
    const senders = received.map(({ from }) => from);
    for (const from of senders) expect(from).toMatch(FILLED);
    expect(new Set(senders).size).toBe(3);
    for (const { text: message } of received) {
      expect(message).toContain(`From: Sender <${project.from}>`);
      expect(message).not.toMatch(/bounces\+/);
    }
  });

  it("in each mail of a broadcast, which a bounce then marks", async () => {
    const world = await scenario(3, (news, by) =>
      by.put(`${news.path}/bounce-settings`, { return_path: PATTERN }),
    );
    await world.work();
    const logs = await world.news.logs();
    const received = await Promise.all(logs.map(({ to_email: to }) => waitForMessage(to)));
    expect(new Set(received.map(({ from }) => from)).size).toBe(3);
    const [first] = received;
    const raw = nameless(first?.from ?? "");
    expect(await handleReports(world.deps, world.news.id, [raw])).toMatchObject({ suppressed: 1 });
    const bounced = (await world.news.logs()).filter(({ status }) => status === "bounced");
    expect(bounced.map(({ to_email: to }) => to)).toEqual(first?.to);
  });
});

describe("a report sent to a return path", () => {
  it.each([
    ["Delivered-To: %", "to the address"],
    ["X-Original-To: %", "to a catch-all"],
    ["Envelope-To: <%>", "to a catch-all of Exim"],
    ["To: %", "without envelope fields"],
    ["Delivered-To: catchall@postrider.test\r\nX-Original-To: %", "by way of another"],
  ])("in %j proves the bounce of its mail (%s)", async (field) => {
    const project = await newProject();
    const { to, from, logId } = await project.send();
    service.d1.reset();
    const report = reportWith(field.replace("%", from.toUpperCase()), to);
    expect(await project.report(report)).toMatchObject({ suppressed: 1, unverified: 0 });
    expect(service.d1.roundTrips).toBe(2); // one to read, one to write
    expect(await project.suppressed()).toEqual([{ email: to, reason: "hard_bounce" }]);
    expect(await project.statusOf(logId)).toBe("bounced");
  });

  it("does not have to name an address, and is then about the recipient of the mail", async () => {
    const project = await newProject();
    const [bounced, full, angry, blocked] = await Promise.all(
      [1, 2, 3, 4].map(() => project.send()),
    );
    if (!bounced || !full || !angry || !blocked) throw new Error("no mails");
    const complaint = text(complaintReport("x")).replace(/Original-Rcpt-To.*\r\n/, "");
    const result = await project.report(
      nameless(bounced.from),
      nameless(full.from, "452 4.2.2 Mailbox full"),
      nameless(blocked.from, "550 5.7.1 Blocked, see https://blocklist.test"),
      bytes(`X-Original-To: ${angry.from}\r\n${complaint}`),
    );
    expect(result).toMatchObject({ suppressed: 2, unverified: 0, ignored: 0 });
    expect((await project.suppressed()).toSorted((a, b) => (a.reason < b.reason ? -1 : 1))).toEqual(
      [
        { email: bounced.to, reason: "hard_bounce" },
        { email: angry.to, reason: "manual" },
      ],
    );
    expect(await project.statusOf(bounced.logId)).toBe("bounced");
    const soft = await allRows("select email from soft_bounces where project_id = ?", project.id);
    expect(soft).toEqual([{ email: full.to }]);
  });

  it.each([
    ["the envelope sender of the returned mail", (from: string) => `Return-Path: <${from}>`],
    ["Postfix's status part", (from: string) => `X-Postfix-Sender: rfc822; ${from}`],
  ])("may quote it in %s", async (_, fieldOf) => {
    const project = await newProject();
    const { to, from } = await project.send();
    const field = fieldOf(from);
    const before = field.startsWith("X-Postfix") ? "Reporting-MTA" : "Message-ID";
    const report = text(failureReport(to)).replace(before, `${field}\r\n${before}`);
    expect(await project.report(bytes(report))).toMatchObject({ suppressed: 1 });
  });

  it("with a forged token does nothing, even if it names a recipient of the project", async () => {
    const project = await newProject();
    const { to, from, logId } = await project.send();
    const id = logId.replaceAll("-", "");
    expect(forge(from)).not.toBe(from);
    const forged = [forge(from), `bounces+${id}@bounce.postrider.test`, `${"a".repeat(42)}@b.test`];
    for (const address of forged) {
      const reports = [nameless(address), deliveredTo(address, to)];
      expect(await project.report(...reports)).toMatchObject({ suppressed: 0, unverified: 1 });
    }
    expect(await project.suppressed()).toEqual([]);
    expect(await project.statusOf(logId)).toBe("sent");
  });

  it("with the token of another project does nothing to either", async () => {
    const [mine, theirs] = [await newProject(), await newProject()];
    const { from, to, logId } = await theirs.send();
    const reports = [nameless(from), deliveredTo(from, to)];
    expect(await mine.report(...reports)).toMatchObject({ suppressed: 0, unverified: 0 });
    expect(await mine.suppressed()).toEqual([]);
    expect(await theirs.suppressed()).toEqual([]);
    expect(await theirs.statusOf(logId)).toBe("sent");
  });

  it("about a member of an alias is held for review under the alias", async () => {
    const project = await newProject();
    const { to, from, logId } = await project.send();
    const report = deliveredTo(from, "member@elsewhere.test");
    expect(await project.report(report)).toMatchObject({ suppressed: 0, unverified: 1 });
    expect(await project.unverified()).toMatchObject([
      { email: to, log_id: logId, diagnostic: "member@elsewhere.test: 5.1.1" },
    ]);
  });

  it("of a mail with copies proves only what it says about the main recipient", async () => {
    const project = await newProject();
    const copy = `${unique("copy")}@any.test`;
    const { to, from } = await project.send({ cc: [copy] });
    const harmless = [nameless(from), deliveredTo(from, copy)];
    expect(await project.report(...harmless)).toMatchObject({ suppressed: 0, unverified: 0 });
    expect(await project.report(deliveredTo(from, to))).toMatchObject({ suppressed: 1 });
  });

  it("is proven with the previous JWT_SECRET, and with no other", async () => {
    const project = await newProject();
    const { to, from } = await project.send();
    const JWT_SECRET = "another-secret-of-the-tests-for-links";
    const rotated = async (settings: object) => createService({ JWT_SECRET, ...settings }).deps();
    const reports = [deliveredTo(from, to)];
    const strange = await rotated({});
    expect(await handleReports(strange, project.id, reports)).toMatchObject({ suppressed: 0 });
    const known = await rotated({ JWT_SECRET_PREVIOUS: TEST_SETTINGS.JWT_SECRET });
    expect(await handleReports(known, project.id, reports)).toMatchObject({ suppressed: 1 });
  });

  it("may be posted to the ingest URL, even if it names no address", async () => {
    const project = await newProject();
    const { to, from, logId } = await project.send();
    const newer = { to, subject: "Newer", html_body: "<p>Hi</p>" };
    await owner.post(`${project.path}/send`, newer);
    const { url } = (await owner.get<{ url: string }>(`${project.path}/bounce-webhook`)).body;
    const post = (raw: Uint8Array) => service.fetch(url, { method: "POST", body: text(raw) });
    expect((await post(nameless(forge(from)))).status).toBe(400);
    const answer = await post(nameless(from));
    expect(await answer.json()).toEqual({ status: "accepted", email: to });
    expect(await project.statusOf(logId)).toBe("bounced");
  });
});

describe.runIf(ports.postfix !== 0 && ports.dovecot !== 0)("a mail that Postfix bounces", () => {
  it("suppresses its recipient when the mailbox in Dovecot is polled, and one to it shows no signature", async () => {
    const { id } = await owner.newProject({ smtpPort: ports.postfix });
    const path = `/projects/${id}`;
    await owner.put(`${path}/bounce-settings`, { return_path: "bounces+{token}@return.test" });
    const mailbox = { host: "localhost", port: ports.dovecot, ...RETURNED_MAIL };
    await owner.put(`${path}/bounce-imap`, { enabled: true, ...mailbox });
    const [email, quiet] = [`${unique("gone")}@away.example`, `${unique("ok")}@dest.example`];
    const tester = "bounces@return.test";
    for (const to of [email, quiet, tester])
      expect(
        await owner.post(`${path}/send`, { to, subject: "Hello", html_body: "<p>Hi</p>" }),
      ).toMatchObject({ status: 200 });
    const arrived = async () => expect(await messageCount(RETURNED_MAIL.user, "INBOX")).toBe(2);
    await eventually(arrived);
    expect(await pollMailbox(deps, id)).toMatchObject({
      kind: "polled",
      messages: 2,
      suppressed: 1,
    });
    expect(await seenCount(RETURNED_MAIL.user, "INBOX")).toBe(2);
    expect(
      await allRows("select signatures from sender_signatures where project_id = ?", id),
    ).toEqual([{ signatures: "[]" }]);
    const { body } = await owner.get(`${path}/suppressions`);
    expect(body["suppressions"]).toMatchObject([
      {
        email,
        reason: "hard_bounce",
        source: expect.stringMatching(/^imap: .*550 5\.1\.1 .*User unknown/),
      },
    ]);
    const { body: log } = await owner.get(`${path}/logs`);
    expect(log["logs"]).toMatchObject([
      { to_email: tester, status: "sent" },
      { to_email: quiet, status: "sent" },
      { to_email: email, status: "bounced", reason: "user_unknown" },
    ]);
  });
});
