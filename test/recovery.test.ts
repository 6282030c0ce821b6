/*
 * Mails of the service itself beside invitations: forgotten passwords, proofs of an address, notices.
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemContext } from "../src/context.ts";
import { runBatch } from "../src/db/client.ts";
import { oweNotices } from "../src/services/service-mail/index.ts";
import { sql } from "drizzle-orm";
import { runScheduled } from "../src/cron/run-scheduled.ts";
import { receivedMessages } from "./support/mailbox.ts";
import { mailingWorld, plain, type MailingWorld } from "./support/service-mail.ts";
import { unique, type Client } from "./support/service.ts";
import { allRows, newPerson, PASSWORD, refusalOf, statusesOf } from "./support/workspaces.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 9, 1, 12);
const OVER = [400, "this link is no longer valid: ask for a new one"];
let clock = START;
let world: MailingWorld;
let anonymous: Client;
beforeAll(async () => {
  world = await mailingWorld(() => clock);
  ({ anonymous } = world.service);
});
beforeEach(() => {
  clock = START;
});

const address = () => `${unique("lost")}@people.test`;
const forgot = (email: string, headers = {}) => anonymous.post("/auth/forgot", { email }, headers);
const reset = (token: string, password = "better battery") =>
  anonymous.post("/auth/reset", { token, password });
const logIn = (email: string, password: string) =>
  anonymous.post("/auth/login", { email, password });
const register = (email: string) =>
  anonymous.post("/auth/register", { email, name: "Lo", password: PASSWORD });
const isVerified = async (email: string) =>
  (await allRows("select verified_at from users where email = ?", email))[0]?.["verified_at"] !==
  null;

describe("a forgotten password", () => {
  it("is replaced by a mailed link, once, which ends every session and proves the address", async () => {
    const email = address();
    const cookie = (await register(email)).headers.get("Set-Cookie")?.split(";")[0] ?? "";
    expect((await forgot(email)).status).toBe(204);
    const first = await world.tokenFor(email);
    await forgot(email);
    const second = await world.tokenFor(email);
    await forgot(email); // a link that is still to be mailed
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

  it("has a link that is good for an hour, that is not tracked, and whose token is not stored", async () => {
    const { email } = await newPerson(world.service);
    await forgot(email);
    const message = await world.mailTo(email);
    expect(plain(message)).not.toMatch(/\/c\/|\/t\/|unsubscribe/i);
    const token = await world.tokenFor(email);
    for (const table of ["mailed_tokens", "owed_mails", "email_logs", "audit_entries"])
      expect(JSON.stringify(await allRows(`select * from ${table}`))).not.toContain(token);
    clock = START + HOUR;
    expect(refusalOf(await reset(token))).toEqual(OVER);
    clock -= 1;
    expect((await reset(token)).status).toBe(204);
  });

  it("is answered alike, after the same work, whether or not the address has an account", async () => {
    const { email } = await newPerson(world.service);
    const seen: unknown[] = [];
    for (const who of [email, address()]) {
      world.service.d1.reset();
      const { status, body } = await forgot(who);
      const { roundTrips, rowsWritten } = world.service.d1;
      seen.push([status, body, roundTrips, rowsWritten, world.queued.splice(0).length]);
    }
    expect(seen[0]).toEqual([204, {}, expect.any(Number), expect.any(Number), 1]);
    expect(seen[1]).toEqual(seen[0]);
  });

  it("fills no inbox and no bucket tells who has an account: three mails an hour, always 204", async () => {
    const { email } = await newPerson(world.service);
    for (const who of [email, address()]) {
      const answers = await Promise.all(Array.from({ length: 6 }, () => forgot(who)));
      expect(statusesOf(answers)).toEqual(Array<number>(6).fill(204));
    }
    await world.deliver();
    expect(await receivedMessages(email)).toHaveLength(3);
  });

  it("may be told ten times an hour from one client, whomever it is about", async () => {
    const headers = { "CF-Connecting-IP": "203.0.113.90" };
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await forgot(address(), headers)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(204), 429]);
  });

  it("is 409 for everyone alike while the service has no sender", async () => {
    const { email } = await newPerson(world.service);
    await world.choose(null);
    const answers = [await forgot(email), await forgot(address())];
    await world.choose(world.project.id);
    for (const answer of answers)
      expect(refusalOf(answer)).toEqual([409, expect.stringContaining("PUT /api/v1/service/mail")]);
  });

  it("is replaced once by many resets at the same moment", async () => {
    const { email } = await newPerson(world.service);
    await forgot(email);
    const token = await world.tokenFor(email);
    const answers = await Promise.all([1, 2, 3].map((n) => reset(token, `better battery ${n}`)));
    expect(statusesOf(answers)).toEqual([204, 400, 400]);
  });
});

describe("an address of open registration", () => {
  it("is proven by a mailed link, once; the account works before", async () => {
    const email = address();
    expect((await register(email)).status).toBe(201);
    expect((await logIn(email, PASSWORD)).status).toBe(200);
    const token = await world.tokenFor(email);
    expect(refusalOf(await reset(token))).toEqual(OVER); // of another kind
    expect((await anonymous.post("/auth/confirm", { token })).status).toBe(204);
    expect(await isVerified(email)).toBe(true);
    expect(refusalOf(await anonymous.post("/auth/confirm", { token }))).toEqual(OVER);
  });
});

describe("the sender of the service's mail", () => {
  it("is chosen by the owner of the first account alone, among projects that they may change", async () => {
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

  it("sends nothing once its server was changed, until it is chosen again", async () => {
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
  it("goes to the verified owners of the workspace, once per cause and day, however many tell it", async () => {
    const owner = await newPerson(world.service);
    const { id } = await owner.newProject();
    const { app } = systemContext(await world.service.app(), "test");
    const tell = (cause: string) =>
      runBatch(
        app.db,
        oweNotices(app, { projectId: id, cause, title: "It stopped", text: "Mend it." }, sql`true`),
      );
    const count = async () => {
      await runScheduled(app, "* * * * *");
      await world.deliver();
      return (await receivedMessages(owner.email)).length;
    };
    const cause = unique("cause");
    await Promise.all([tell(cause), tell(cause), tell(cause)]);
    expect(await count()).toBe(1);
    await tell(unique("cause"));
    expect(await count()).toBe(2);
    clock += 24 * HOUR;
    await tell(cause);
    clock += 1;
    expect(await count()).toBe(3);
    await allRows("update users set verified_at = null where id = ?", owner.id);
    await tell(unique("cause"));
    expect(await count()).toBe(3);
  });
});
