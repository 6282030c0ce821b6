/* Mails of the service itself besides invitations: forgotten passwords, address proofs, notices. */
import { beforeAll, describe, expect, it } from "vitest";
import { resetPasswordStatements } from "../../../scripts/accounts/account-statements.ts";
import { systemContext } from "../../../src/context.ts";
import { runBatch } from "../../../src/db/client.ts";
import { handleReports } from "../../../src/services/bounces/handle-reports.ts";
import { pollMailbox } from "../../../src/services/bounces/index.ts";
import { planBroadcast } from "../../../src/services/broadcasts/index.ts";
import { addNotices } from "../../../src/services/service-mail/index.ts";
import { deliverDue } from "../../../src/services/webhooks/index.ts";
import { sql } from "drizzle-orm";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { failureReport } from "../../support/bounce-reports.ts";
import { workOff } from "../../support/broadcasting.ts";
import { startImapServer } from "../../support/imap/sessions.ts";
import { receivedMessages, type ReceivedMessage } from "../../support/mailbox.ts";
import { ports } from "../../support/ports.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { mailingWorld, plain, type MailingWorld } from "../../support/service-mail.ts";
import { CAPTURING, unique, type Answer, type Client } from "../../support/service.ts";
import { EVERY_MINUTE, HOUR, standingClock } from "../../support/times.ts";
import { endpoint } from "../../support/webhooks/received.ts";
import {
  addTo,
  newPerson,
  PASSWORD,
  refusalOf,
  selfHosted,
  statusesOf,
} from "../../support/workspaces.ts";

const START = Date.UTC(2026, 9, 1, 12);
const OVER = [400, "this link is no longer valid: request a new one"];
const clock = standingClock(START);
let world: MailingWorld;
let anonymous: Client;
beforeAll(async () => {
  world = await mailingWorld(() => clock.now);
  ({ anonymous } = world.service);
});

const address = () => `${unique("lost")}@people.test`;
const forgot = (email: string, headers = {}) => anonymous.post("/auth/forgot", { email }, headers);
const reset = (token: string, password = "better battery") =>
  anonymous.post("/auth/reset", { token, password });
const logIn = (email: string, password: string) =>
  anonymous.post("/auth/login", { email, password });
const isReset = (message: ReceivedMessage) => plain(message).includes("/reset-password#");
const cookieOf = ({ headers }: Answer) => headers.get("Set-Cookie")?.split(";")[0] ?? "";
const register = (email: string) =>
  anonymous.post("/auth/register", { email, name: "Lo", password: PASSWORD });
const isVerified = async (email: string) =>
  (await allRows("select verified_at from users where email = ?", email))[0]?.["verified_at"] !==
  null;

/** Lets minutes pass, with their sweeps and what they wake. */
async function runMinutes(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    clock.now += 60_000;
    await runScheduled(await world.service.deps(), EVERY_MINUTE);
    await world.deliver();
  }
}

describe("a forgotten password", () => {
  it("is replaced once through a mailed link, which ends every session and verifies the address", async () => {
    const email = address();
    const cookie = cookieOf(await register(email));
    expect((await forgot(email)).status).toBe(204);
    const first = await world.tokenFor(email);
    await forgot(email);
    const second = await world.tokenFor(email);
    await forgot(email); // a link still to be mailed
    expect(await isVerified(email)).toBe(false);
    expect((await reset(second)).status).toBe(204);
    expect(await isVerified(email)).toBe(true);
    for (const token of [second, first]) expect(refusalOf(await reset(token))).toEqual(OVER);
    const before = (await receivedMessages(email)).length;
    await world.deliver();
    expect(await receivedMessages(email)).toHaveLength(before);
    const me = await anonymous.request("GET", "/auth/me", undefined, { Cookie: cookie });
    expect(me.status).toBe(401);
    expect((await logIn(email, PASSWORD)).status).toBe(401);
    expect((await logIn(email, "better battery")).status).toBe(200);
  });

  it("leaves no other link valid after a reset, including one whose mail is in flight", async () => {
    const { email } = await newPerson(world.service);
    await forgot(email);
    const token = await world.tokenFor(email);
    await forgot(email);
    const { d1 } = world.service;
    const statuses: number[] = [];
    d1.before = async (statements) => {
      if (!statements.some((text) => text.includes("insert into mailed_tokens"))) return;
      d1.before = undefined;
      statuses.push((await reset(token)).status);
    };
    const before = (await receivedMessages(email)).length;
    await world.deliver();
    expect(statuses).toEqual([204]);
    expect(await receivedMessages(email)).toHaveLength(before);
    const links = "select 1 from mailed_tokens join users on id = subject_id where users.email = ?";
    expect(await allRows(links, email)).toEqual([]);
    expect(await allRows("select 1 from pending_mails where data ->> 'to' = ?", email)).toEqual([]);
  });

  /** An account with one reset link in its mailbox, and another one still to be mailed. */
  async function personWithLinks() {
    const email = address();
    const Cookie = cookieOf(await register(email));
    await forgot(email);
    const token = await world.tokenFor(email);
    await forgot(email);
    return { email, Cookie, token };
  }

  /** Expects that no mail follows and that the link of the mail that came is over. */
  async function expectNoLink({ email, token }: { email: string; token: string }) {
    const before = (await receivedMessages(email)).length;
    await world.deliver();
    expect(await receivedMessages(email)).toHaveLength(before);
    expect(refusalOf(await reset(token))).toEqual(OVER);
  }

  it("leaves no link valid after a password change, including one not mailed yet", async () => {
    const known = await personWithLinks();
    const { email, Cookie } = known;
    const change = (current_password: string) =>
      anonymous.request(
        "POST",
        "/auth/password",
        { current_password, new_password: "chosen battery" },
        { Cookie },
      );
    expect((await change("wrong horse")).status).toBe(400);
    expect(
      await allRows("select 1 from pending_mails where data ->> 'to' = ?", email),
    ).toHaveLength(1);
    expect((await change(PASSWORD)).status).toBe(204);
    await expectNoLink(known);
    expect((await logIn(email, "chosen battery")).status).toBe(200);
  });

  it("leaves no link valid after the operator's script has set a password", async () => {
    const known = await personWithLinks();
    const facts = { email: known.email, passwordHash: "", nowMs: clock.now };
    const { DB } = world.service.env;
    await DB.batch(resetPasswordStatements(facts).map((statement) => DB.prepare(statement)));
    await expectNoLink(known);
  });

  it("has a link that is valid for an hour, untracked, with a token that is not stored", async () => {
    const { email } = await newPerson(world.service);
    await forgot(email);
    const message = await world.mailTo(email);
    expect(plain(message)).not.toMatch(/\/c\/|\/t\/|unsubscribe/i);
    const token = await world.tokenFor(email);
    for (const table of ["mailed_tokens", "pending_mails", "logged_mails", "audit_entries"])
      expect(JSON.stringify(await allRows(`select * from ${table}`))).not.toContain(token);
    clock.now = START + HOUR;
    expect(refusalOf(await reset(token))).toEqual(OVER);
    clock.now -= 1;
    expect((await reset(token)).status).toBe(204);
  });

  it("has no link for an address suppressed in the sending project", async () => {
    const { email } = await newPerson(world.service);
    await world.operator.post(`/projects/${world.project.id}/suppressions`, { emails: [email] });
    await forgot(email);
    await world.deliver();
    expect(await receivedMessages(email)).toEqual([]);
  });

  it("gets the same response, after the same work, with or without an account", async () => {
    const { email } = await newPerson(world.service);
    const seen: unknown[] = [];
    for (const who of [email, address()]) {
      world.service.d1.reset();
      const { status, body } = await forgot(who);
      const { roundTrips, rowsWritten } = world.service.d1;
      seen.push([status, body, roundTrips, rowsWritten, world.woken.splice(0).length]);
    }
    expect(seen[0]).toEqual([204, {}, expect.any(Number), expect.any(Number), 1]);
    expect(seen[1]).toEqual(seen[0]);
  });

  it("triggers at most three mails an hour, and always 204, so that no limit reveals an account", async () => {
    const { email } = await newPerson(world.service);
    for (const who of [email, address()]) {
      const answers = await Promise.all(Array.from({ length: 6 }, () => forgot(who)));
      expect(statusesOf(answers)).toEqual(Array<number>(6).fill(204));
    }
    await world.deliver();
    expect(await receivedMessages(email)).toHaveLength(3);
  });

  it("cannot be denied to its owner by requests for other spellings of the address", async () => {
    const [{ email: proven }, unproven] = [await newPerson(world.service), address()];
    await register(unproven);
    for (const email of [proven, unproven]) {
      const [name = "", domain = ""] = email.split("@");
      for (let n = 0; n < 4; n++) await forgot(`${name}+${n}@${domain}`);
      await forgot(email);
    }
    await world.deliver();
    for (const email of [proven, unproven])
      expect((await receivedMessages(email)).filter(isReset)).toHaveLength(1);
  });

  it("sends one mailbox three mails an hour for all unverified accounts with it", async () => {
    const [name = "", domain = ""] = address().split("@");
    const emails = [1, 2].map((n) => `${name}+${n}@${domain}`);
    for (const email of emails) {
      await register(email);
      for (let n = 0; n < 3; n++) await forgot(email);
    }
    await world.deliver();
    const received = await Promise.all(emails.map((email) => receivedMessages(email)));
    expect(received.flat().filter(isReset)).toHaveLength(3);
  });

  it("may be reported ten times an hour by one client, for any address", async () => {
    const headers = { "CF-Connecting-IP": "203.0.113.90" };
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await forgot(address(), headers)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(204), 429]);
  });

  it("answers 409 to every caller while the service has no sender", async () => {
    const { email } = await newPerson(world.service);
    await world.choose(null);
    const answers = [await forgot(email), await forgot(address())];
    await world.choose(world.project.id);
    for (const answer of answers)
      expect(refusalOf(answer)).toEqual([409, expect.stringContaining("PUT /api/v1/service/mail")]);
  });

  it("is replaced once despite many simultaneous resets", async () => {
    const { email } = await newPerson(world.service);
    await forgot(email);
    const token = await world.tokenFor(email);
    const answers = await Promise.all([1, 2, 3].map((n) => reset(token, `better battery ${n}`)));
    expect(statusesOf(answers)).toEqual([204, 400, 400]);
  });
});

describe("an address from open registration", () => {
  it("is verified once through a mailed link; the account can log in before that", async () => {
    const email = address();
    expect((await register(email)).status).toBe(201);
    expect((await logIn(email, PASSWORD)).status).toBe(200);
    const token = await world.tokenFor(email);
    expect(refusalOf(await reset(token))).toEqual(OVER); // of another kind
    const Cookie = cookieOf(await logIn(email, PASSWORD));
    const confirm = () => anonymous.request("POST", "/auth/confirm", { token }, { Cookie });
    expect((await confirm()).status).toBe(204);
    expect(await isVerified(email)).toBe(true);
    expect(refusalOf(await confirm())).toEqual(OVER);
  });

  it("gets its link again, even if others keep trying to register the address", async () => {
    const email = address();
    const Cookie = cookieOf(await register(email));
    for (let n = 0; n < 4; n++) expect((await register(email)).status).toBe(409);
    await world.deliver();
    const resend = await anonymous.request("POST", "/auth/confirm/resend", undefined, { Cookie });
    expect(resend.status).toBe(204);
    await world.deliver();
    expect(await receivedMessages(email)).toHaveLength(2);
  });

  it("is not verified by a reader of the mail who does not know the password", async () => {
    const email = address();
    await register(email);
    const token = await world.tokenFor(email);
    const reader = await newPerson(world.service);
    expect((await anonymous.post("/auth/confirm", { token })).status).toBe(401);
    expect(refusalOf(await reader.post("/auth/confirm", { token }))).toEqual(OVER);
    expect(await isVerified(email)).toBe(false);
    const Cookie = cookieOf(await logIn(email, PASSWORD));
    const answer = await anonymous.request("POST", "/auth/confirm", { token }, { Cookie });
    expect(answer.status).toBe(204); // the attempts of others use nothing up
  });
});

describe("the sender of the service's mail", () => {
  it("can be chosen only by the owner of the first account, among projects that the owner may change", async () => {
    const other = await newPerson(world.service);
    const foreign = await other.newProject({ smtpPort: 587 });
    expect((await other.get("/service/mail")).status).toBe(403);
    expect((await other.put("/service/mail", { project_id: foreign.id })).status).toBe(403);
    expect((await world.choose(foreign.id)).status).toBe(403);
    expect((await world.choose(crypto.randomUUID())).status).toBe(404);
    expect((await world.choose((await world.operator.newProject()).id)).status).toBe(400);
    expect((await world.operator.get("/service/mail")).body).toEqual({
      project_id: world.project.id,
      ready: true,
    });
  });

  it("cannot be chosen while the first account's address is unverified", async () => {
    const { operator, project } = world;
    const [before] = await allRows("select verified_at from users where id = ?", operator.id);
    const setVerified = (at: unknown) =>
      allRows("update users set verified_at = ? where id = ?", at, operator.id);
    await setVerified(null);
    expect((await world.choose(project.id)).status).toBe(403);
    expect((await operator.get("/service/mail")).status).toBe(403);
    await setVerified(before?.["verified_at"]);
    expect((await world.choose(project.id)).status).toBe(200);
  });

  it("never goes through the fallback of its project", async () => {
    const project = await world.operator.newProject();
    const server = (port: number) => ({
      smtp_host: "127.0.0.1",
      smtp_port: port,
      smtp_user: "user",
      smtp_password: "pass",
    });
    const [dead, from_email] = [server(1), `${unique("notices")}@postrider.test`];
    const settings = { ...dead, from_email, fallback: server(ports.smtp) };
    await world.operator.put(`/projects/${project.id}/smtp`, settings);
    await world.choose(project.id);
    const { email } = await newPerson(world.service);
    await forgot(email);
    await world.deliver();
    const { body } = await world.operator.get(`/projects/${project.id}/logs`);
    expect(body).toMatchObject({ logs: [{ to_email: email, status: "failed" }] });
    expect(await receivedMessages({ from: from_email })).toEqual([]);
    await world.choose(world.project.id);
  });

  it("sends once through the project that the operator chooses while the mail waits", async () => {
    const second = await world.operator.newProject(CAPTURING);
    const { email } = await newPerson(world.service);
    await forgot(email);
    await world.choose(second.id);
    await world.deliver(); // the old one hands the mail over and wakes the new one
    const { body } = await world.operator.get(`/projects/${second.id}/logs`);
    expect(body).toMatchObject({ logs: [{ to_email: email, status: "sent" }] });
    await runMinutes(10);
    expect(await receivedMessages(email)).toHaveLength(1);
    await world.choose(world.project.id);
  });

  it("moves to the new project after its old one failed, but not while a worker may be sending", async () => {
    const { id } = await world.operator.newProject({ ...CAPTURING, smtpPort: 1 });
    const { email } = await newPerson(world.service);
    await world.choose(id);
    await forgot(email);
    await world.deliver();
    const { body } = await world.operator.get(`/projects/${id}/logs`);
    expect(body).toMatchObject({ logs: [{ to_email: email, status: "failed" }] });
    await world.choose(world.project.id);
    await runMinutes(2); // the second attempt
    const pending = "select project_id, attempts from pending_mails where data ->> 'to' = ?";
    expect(await allRows(pending, email)).toEqual([{ project_id: id, attempts: 2 }]);
    await runMinutes(10);
    expect(await receivedMessages(email)).toHaveLength(1);
    expect(await allRows(pending, email)).toEqual([]);
  });

  it("sends nothing while the operator may not change the project", async () => {
    const { email } = await newPerson(world.service);
    await forgot(email);
    const setRole = (role: string) =>
      allRows(
        "update workspace_members set role = ? where user_id = ? and workspace_id = (select workspace_id from projects where id = ?)",
        role,
        world.operator.id,
        world.project.id,
      );
    await setRole("viewer");
    await world.deliver();
    expect((await world.operator.get("/service/mail")).body).toMatchObject({ ready: false });
    expect((await forgot(email)).status).toBe(409);
    await setRole("owner");
    expect((await world.operator.get("/service/mail")).body).toMatchObject({ ready: true });
    expect(await receivedMessages(email)).toEqual([]);
  });

  it("sends nothing after its server changes, until it is chosen again", async () => {
    const { email } = await newPerson(world.service);
    await forgot(email);
    const change = "update projects set smtp_host = ? where id = ?";
    const setHost = (host: string) =>
      world.service.env.DB.prepare(change).bind(host, world.project.id).run();
    await setHost("evil.example");
    await world.deliver();
    expect((await world.operator.get("/service/mail")).body).toMatchObject({ ready: false });
    expect((await forgot(email)).status).toBe(409);
    await setHost("127.0.0.1");
    expect(await receivedMessages(email)).toEqual([]);
  });
});

describe("a notice", () => {
  it("reaches the verified owners of the workspace once per cause and day", async () => {
    const owner = await newPerson(world.service);
    const { id } = await owner.newProject();
    const { deps } = systemContext(await world.service.deps(), "test");
    const tell = (cause: string) =>
      runBatch(
        deps.db,
        addNotices(
          deps,
          { projectId: id, cause, title: "It stopped", text: "Mend it." },
          sql`true`,
        ),
      );
    const count = async () => {
      await runScheduled(deps, EVERY_MINUTE);
      await world.deliver();
      return (await receivedMessages(owner.email)).length;
    };
    const cause = unique("cause");
    await Promise.all([tell(cause), tell(cause), tell(cause)]);
    expect(await count()).toBe(1);
    await tell(unique("cause"));
    expect(await count()).toBe(2);
    clock.now += 24 * HOUR;
    await tell(cause);
    clock.now += 1;
    expect(await count()).toBe(3);
    await allRows("update users set verified_at = null where id = ?", owner.id);
    await tell(unique("cause"));
    expect(await count()).toBe(3);
  });

  it("does not reach a person who became an owner without consent", async () => {
    const [owner, stranger] = [await newPerson(world.service), await newPerson(world.service)];
    const { id } = await owner.newProject();
    const [project] = await allRows("select workspace_id from projects where id = ?", id);
    const by = selfHosted(world.service, owner);
    await addTo(String(project?.["workspace_id"]), by, stranger, "owner");
    const { deps } = systemContext(await world.service.deps(), "test");
    const notice = { projectId: id, cause: unique("cause"), title: "It stopped", text: "Mend it." };
    await runBatch(deps.db, addNotices(deps, notice, sql`true`));
    await runScheduled(deps, EVERY_MINUTE);
    await world.deliver();
    expect(await receivedMessages(owner.email)).toHaveLength(1);
    expect(await receivedMessages(stranger.email)).toEqual([]);
  });

  /** Notices that the next minute mails to an owner. */
  async function noticesTo({ email }: { email: string }) {
    await runScheduled(await world.service.deps(), EVERY_MINUTE);
    await world.deliver();
    return (await receivedMessages(email)).map(plain);
  }

  it.each([
    ["Spring news", '"Spring news" stopped: '],
    ["Log in at evil.example/now", "It stopped: "],
  ])("reports that a broadcast auto-paused, and why: %s", async (subject, words) => {
    const owner = await newPerson(world.service);
    const { id } = await owner.newProject({ smtpPort: ports.smtp, smtpPassword: "wrong" });
    await owner.post(`/projects/${id}/subscribers`, { email: address() });
    const template = { name: "t", subject: "Hi", html_body: "<p>Hi</p>" };
    const made = await owner.post(`/projects/${id}/templates`, template);
    await owner.post(
      `/projects/${id}/broadcast`,
      { template_id: made.body["id"], subject },
      { Prefer: "respond-async" },
    );
    await workOff(await world.service.deps(), id);
    const [told, ...others] = await noticesTo(owner);
    expect(others).toEqual([]);
    expect(told).toContain("Subject: A broadcast was auto-paused");
    expect(told).toContain(words);
    expect(told).toMatch(/stopped: .*535/s);
    expect(told).not.toContain("evil.example");
  });

  it("reports that a scheduled broadcast was not started because it exceeded its maximum delay", async () => {
    const owner = await newPerson(world.service);
    const { id } = await owner.newProject({ smtpPort: ports.smtp });
    await owner.post(`/projects/${id}/subscribers`, { email: address() });
    const content = { subject: "Hi", html_body: "<p>Hi {{unsubscribe_link}}</p>" };
    const draft = { name: "May issue", ...content, max_delay_minutes: 5 };
    const made = await owner.post(`/projects/${id}/broadcasts`, draft);
    const broadcastId = String(made.body["id"]);
    expect((await owner.post(`/projects/${id}/broadcasts/${broadcastId}/start`, {})).status).toBe(
      202,
    );
    clock.now += 10 * 60_000;
    await planBroadcast(await world.service.deps(), broadcastId);
    const [told, ...others] = await noticesTo(owner);
    expect(others).toEqual([]);
    expect(told).toContain("Subject: A broadcast was not started");
    expect(told).toMatch(/"May issue" did not start: it was 10 minutes\s+late/);
  });

  it("reports that a webhook was disabled, with its host only", async () => {
    const owner = await newPerson(world.service);
    const { id } = await owner.newProject();
    const path = `/projects/${id}/webhooks`;
    const url = `${endpoint(`status/500/${unique("hook")}`)}?secret=canary`;
    const made = await owner.post(path, { url });
    const webhookId = String(made.body["id"]);
    await allRows(
      "update webhooks set failures = 49, failing_since = ? where id = ?",
      START - 24 * HOUR,
      webhookId,
    );
    await owner.post(`${path}/${webhookId}/test`);
    await deliverDue(await world.service.deps(), [webhookId]);
    const [told, ...others] = await noticesTo(owner);
    expect(others).toEqual([]);
    expect(told).toContain("Subject: A webhook was paused");
    expect(told).toContain(`${new URL(url).host} has accepted no events for a day`);
    expect(told).not.toContain("canary");
  });

  it("reports that a bounce mailbox has failed for an hour, and not before", async () => {
    const owner = await newPerson(world.service);
    const { id } = await owner.newProject();
    const { port } = await startImapServer({
      rules: [{ on: "AUTHENTICATE", steps: [{ send: "<tag> NO wrong password\r\n" }] }],
    });
    const account = { enabled: true, host: "localhost", port, user: "u", password: "p" };
    expect((await owner.put(`/projects/${id}/bounce-imap`, account)).status).toBe(200);
    const poll = async () => pollMailbox(await world.service.deps(), id);
    for (const waitMs of [0, HOUR - 60_000]) {
      clock.now += waitMs;
      expect(await poll()).toMatchObject({ kind: "failed" });
      expect(await noticesTo(owner)).toEqual([]);
    }
    clock.now += 60_000;
    await poll();
    const [told, ...others] = await noticesTo(owner);
    expect(others).toEqual([]);
    expect(told).toContain("Subject: The bounce mailbox cannot be read");
    expect(told).toContain("localhost has failed for an hour: ");
  });

  it("reports that unproven reports reached their daily limit, once a day", async () => {
    const owner = await newPerson(world.service);
    const { id } = await owner.newProject();
    const deps = await world.service.deps();
    const forge = async (count: number) => {
      const emails = Array.from({ length: count }, () => `${unique("mailed")}@any.test`);
      for (const to_email of emails)
        await insertRow("logged_mails", {
          id: crypto.randomUUID(),
          project_id: id,
          to_email,
          subject: "s",
          status: "sent",
          sent_at: clock.now,
        });
      return handleReports(
        deps,
        id,
        emails.map((email) => failureReport(email)),
      );
    };
    expect(await forge(19)).toMatchObject({ suppressed: 19 });
    expect(await noticesTo(owner)).toEqual([]);
    expect(await forge(3)).toMatchObject({ suppressed: 1, unverified: 2 });
    await forge(3);
    const [told, ...others] = await noticesTo(owner);
    expect(others).toEqual([]);
    expect(told).toContain("Subject: Many bounce reports without proof");
  });
});
