/*
 * Invitations into a workspace: mailed by the service itself, accepted once, and only by a reader
 * of the mail.
 */
import { env } from "cloudflare:test";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemContext } from "../../../src/context.ts";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { sha256Hex } from "../../../src/lib/hash.ts";
import { shardOf, take } from "../../../src/services/limits/ask-limiter.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { allRows, everyTable } from "../../support/rows.ts";
import { mailingWorld, plain, type MailingWorld } from "../../support/service-mail.ts";
import { createService, unique, type Answer, type Client } from "../../support/service.ts";
import { DAY, EVERY_MINUTE, EVERY_NIGHT, HOUR, standingClock } from "../../support/times.ts";
import {
  addTo,
  auditOf,
  changeRole,
  newMember,
  newPerson,
  newWorkspace,
  PASSWORD,
  refusalOf,
  removeFrom,
  rolesIn,
  selfHosted,
  statusesOf,
  type Person,
} from "../../support/workspaces.ts";

const START = Date.UTC(2026, 9, 1, 12);
const OVER = [400, "this invitation is no longer valid: ask the workspace for a new one"];
const clock = standingClock(START);
let world: MailingWorld;
let owner: Person;
beforeAll(async () => {
  world = await mailingWorld(() => clock.now);
});
beforeEach(async () => {
  owner = await newPerson(world.service); // with limits of their own
});

const address = () => `${unique("guest")}@people.test`;
const cookieOf = ({ headers }: Answer) => headers.get("Set-Cookie")?.split(";")[0] ?? "";
const invite = (id: string, email: string, role?: string, by: Client = owner) =>
  by.post(`/workspaces/${id}/invitations`, { email, role });
const listed = async (id: string) =>
  (await owner.get<{ invitations: { id: string }[] }>(`/workspaces/${id}/invitations`)).body
    .invitations;
const account = { name: "Gina Guest", password: PASSWORD };
const accept = (token: string, more: object = account, cookie?: string) =>
  world.service.anonymous.request(
    "POST",
    "/auth/invitations/accept",
    { token, ...more },
    cookie === undefined ? {} : { Cookie: cookie },
  );
const lookUp = (token: string) =>
  world.service.anonymous.post("/auth/invitations/look-up", { token });

/** Workspace with an invitation, and the mailed token. */
async function invited(email = address(), role = "developer") {
  await world.deliver(); // earlier mails to the address
  const id = await newWorkspace(owner);
  const answer = await invite(id, email, role);
  expect(answer.status).toBe(201);
  return { id, email, invitationId: String(answer.body["id"]), token: await world.tokenFor(email) };
}

describe("an invitation", () => {
  it("is mailed with a link, listed, and creates the account when it is accepted", async () => {
    const id = await newWorkspace(owner);
    const email = address();
    const answer = await invite(id, ` ${email.toUpperCase()}`, "admin");
    const record = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email,
      role: "admin",
      invited_by: owner.id,
      created_at: new Date(START).toISOString(),
      expires_at: new Date(START + 7 * DAY).toISOString(),
    };
    expect([answer.status, answer.body]).toEqual([201, record]);
    expect(await listed(id)).toEqual([record]);
    const token = await world.tokenFor(email);
    expect((await lookUp(token)).body).toEqual({
      email,
      role: "admin",
      workspace: { id, name: "Team" },
      invited_by: "Olive Owner",
      has_account: false,
      expires_at: record.expires_at,
    });
    const accepted = await accept(token);
    expect(accepted).toMatchObject({
      status: 201,
      body: { user: { email, name: "Gina Guest" }, workspace: { id, name: "Team" } },
    });
    const guest = { Cookie: cookieOf(accepted) };
    const me = await world.service.anonymous.request("GET", "/auth/me", undefined, guest);
    expect(me.body).toMatchObject({ user: { email } });
    const roles = (me.body["workspaces"] as { id: string; role: string }[]).map((workspace) => [
      workspace.id === id,
      workspace.role,
    ]);
    expect(new Map(roles as [boolean, string][])).toEqual(
      new Map([
        [true, "admin"],
        [false, "owner"],
      ]),
    );
    expect(await rolesIn(id)).toEqual(["admin", "owner"]);
    expect(await listed(id)).toEqual([]);
    const [user] = await allRows("select verified_at from users where email = ?", email);
    expect(user).toEqual({ verified_at: START });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      "workspace.create",
      "workspace.invitation_sent",
      "workspace.invitation_accepted",
    ]);
  });

  it("adds the account of its address, verifies the address, and shows the account's logins from then on", async () => {
    const email = address();
    const registered = await world.service.anonymous.post("/auth/register", { email, ...account });
    const { id, token } = await invited(email);
    expect((await lookUp(token)).body).toMatchObject({ has_account: true });
    const answer = await accept(token, {}, cookieOf(registered));
    expect([answer.status, answer.body]).toEqual([200, { workspace: { id, name: "Team" } }]);
    expect(await rolesIn(id)).toEqual(["developer", "owner"]);
    const [user] = await allRows("select verified_at from users where email = ?", email);
    expect(user).toEqual({ verified_at: START });
    await world.service.anonymous.post("/auth/login", { email, password: PASSWORD });
    expect((await auditOf(id)).map(({ action }) => action)).toContain("user.login");
  });

  it("is mailed without pixel, tracked link or footer, and its token is stored nowhere", async () => {
    const { email, token } = await invited();
    const message = await world.mailTo(email);
    const text = plain(message);
    expect(text).toContain(`/accept-invitation#token=${token}`);
    expect(text).not.toMatch(/\/c\/|\/t\/|unsubscribe/i);
    for (const { name, rows } of await everyTable())
      expect([name, JSON.stringify(rows)]).toEqual([name, expect.not.stringContaining(token)]);
    const log = await allRows("select subject, status from logged_mails where to_email = ?", email);
    expect(log).toEqual([{ subject: expect.stringMatching(/^You are invited/), status: "sent" }]);
  });

  it.each([
    "Win at evil.example/prize",
    "evil.\u200Bexample",
    "evil\u00AD.\u00ADexample",
    "evil\uFF0Eexample",
    "evil\u3002example",
    "ann\uFF20evil example",
  ])("shows no name that could mislead or reads like an address: %s", async (name) => {
    const { body } = await owner.post("/workspaces", { name });
    const email = address();
    await invite(String(body["id"]), email);
    await allRows("update users set name = ? where id = ?", name, owner.id);
    const mail = plain(await world.mailTo(email));
    expect(mail).toMatch(/^Subject: You are invited to \w/m);
    expect(mail).not.toContain("evil");
  });

  it("has no text by the inviter in its subject", async () => {
    const { body } = await owner.post("/workspaces", { name: "Cheap pills" });
    await allRows("update users set name = ? where id = ?", "Prize draw", owner.id);
    const email = address();
    await invite(String(body["id"]), email);
    const mail = plain(await world.mailTo(email));
    expect(mail).not.toMatch(/^Subject:.*(pills|prize)/im);
    expect(mail).toContain("Cheap pills");
  });

  it("is rejected beyond 30 an hour from one client address, regardless of the user", async () => {
    const other = await newPerson(world.service);
    const headers = { "CF-Connecting-IP": "203.0.113.61" };
    const invitedBy = async (by: Client, count: number) => {
      const id = await newWorkspace(by);
      const body = () => ({ email: address() });
      const answers = await Promise.all(
        Array.from({ length: count }, () =>
          by.post(`/workspaces/${id}/invitations`, body(), headers),
        ),
      );
      return answers.filter(({ status }) => status === 429).length;
    };
    expect([await invitedBy(owner, 20), await invitedBy(other, 12)]).toEqual([0, 2]);
  });

  it("reveals in its headers the limit of the inviter, and not what others sent to the address", async () => {
    const email = address();
    for (const remaining of ["29", "28"]) {
      const { headers } = await invite(await newWorkspace(owner), email);
      expect([headers.get("RateLimit-Limit"), headers.get("RateLimit-Remaining")]).toEqual([
        "30",
        remaining,
      ]);
    }
  });

  it("is rejected for a member and for an invited address; an expired one is replaced", async () => {
    const { id, email } = await invited();
    expect(await invite(id, email)).toMatchObject({
      status: 409,
      body: { code: "already_invited" },
    });
    expect(refusalOf(await invite(id, owner.email))).toEqual([
      409,
      expect.stringContaining("already a member of the workspace"),
    ]);
    clock.now += 7 * DAY;
    const again = await newSession(owner);
    expect((await invite(id, email, "viewer", again)).status).toBe(201);
    expect(await allRows("select role from workspace_invitations where email = ?", email)).toEqual([
      { role: "viewer" },
    ]);
  });

  it("is replaced by another one once its inviter may no longer manage the members", async () => {
    const id = await newWorkspace(owner);
    const inviter = await newMember(world.service, id, owner, "owner");
    const email = address();
    await invite(id, email, "admin", inviter);
    const first = await world.tokenFor(email);
    expect((await invite(id, email, "viewer")).status).toBe(409);
    await owner.delete(`/workspaces/${id}/members/${inviter.id}`);
    expect((await invite(id, email, "viewer")).status).toBe(201);
    expect(await listed(id)).toEqual([expect.objectContaining({ role: "viewer" })]);
    expect(refusalOf(await lookUp(first))).toEqual(OVER);
    expect((await lookUp(await world.tokenFor(email))).body).toMatchObject({ role: "viewer" });
  });

  it("is visible only to owners of its own workspace", async () => {
    const { id, invitationId } = await invited();
    const other = await newPerson(world.service);
    const foreign = await newWorkspace(other);
    const admin = await newMember(world.service, id, owner, "admin");
    const path = `/workspaces/${id}/invitations`;
    for (const by of [admin, other]) {
      expect((await by.get(path)).status).toBe(403);
      expect((await invite(id, address(), "viewer", by)).status).toBe(403);
      expect((await by.post(`${path}/${invitationId}/resend`)).status).toBe(403);
      expect((await by.delete(`${path}/${invitationId}`)).status).toBe(403);
    }
    const there = `/workspaces/${foreign}/invitations/${invitationId}`;
    expect((await other.delete(there)).status).toBe(404);
    expect((await other.post(`${there}/resend`)).status).toBe(404);
    expect(await listed(id)).toHaveLength(1);
  });
});

describe("POST /workspaces/{id}/members in cloud mode", () => {
  const add = (id: string, email: string, role?: string) =>
    owner.post(`/workspaces/${id}/members`, { email, role });
  const membersOf = async (id: string) =>
    (await owner.get<{ members: object[] }>(`/workspaces/${id}/members`)).body.members;

  it("returns the future member, who is added only by accepting", async () => {
    const person = await newPerson(world.service);
    const id = await newWorkspace(owner);
    const answer = await add(id, person.email, "admin");
    const { email } = person;
    const member = { user_id: person.id, email, role: "admin", created_by: null };
    const at = new Date(START).toISOString();
    expect([answer.status, answer.body]).toEqual([201, { ...member, name: "", joined_at: at }]);
    expect(answer.headers.get("RateLimit-Limit")).toBe("30");
    expect(await rolesIn(id)).toEqual(["owner"]);
    expect((await person.get(`/workspaces/${id}`)).status).toBe(403);
    expect(await listed(id)).toEqual([expect.objectContaining({ email, role: "admin" })]);
    clock.now += HOUR;
    const joined = await accept(await world.tokenFor(email), {}, person.cookie);
    expect(joined.status).toBe(200);
    expect(await membersOf(id)).toContainEqual({
      ...member,
      name: "Olive Owner",
      joined_at: new Date(START + HOUR).toISOString(),
    });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      "workspace.create",
      "workspace.invitation_sent",
      "workspace.invitation_accepted",
    ]);
  });

  it("is 409 for a person with an open invitation, and changes a member's role immediately", async () => {
    const [person, member] = [await newPerson(world.service), await newPerson(world.service)];
    const id = await newWorkspace(owner);
    expect((await add(id, person.email)).status).toBe(201);
    expect(await add(id, person.email)).toMatchObject({
      status: 409,
      body: { code: "already_invited" },
    });
    await addTo(id, selfHosted(world.service, owner), member, "viewer");
    for (const role of ["admin", "viewer", "developer", "member", "admin"])
      expect(await add(id, member.email, role)).toMatchObject({ status: 201, body: { role } });
    expect(await rolesIn(id)).toEqual(["admin", "owner"]);
    expect(await listed(id)).toHaveLength(1);
  });

  it("invites no one without a verified account, beyond the limits, or without a sender", async () => {
    const { anonymous } = world.service;
    const [stranger, person] = [address(), await newPerson(world.service)];
    await anonymous.post("/auth/register", { email: stranger, ...account });
    const id = await newWorkspace(owner);
    for (const email of [address(), stranger])
      expect(refusalOf(await add(id, email))).toEqual([404, "user not found"]);
    expect(await listed(id)).toEqual([]);
    for (let n = 0; n < 3; n++)
      expect((await add(await newWorkspace(owner), person.email)).status).toBe(201);
    expect((await add(id, person.email)).status).toBe(429);
    await world.choose(null);
    const other = await newPerson(world.service);
    expect((await add(id, other.email)).status).toBe(409);
    await world.choose(world.project.id);
    expect(await listed(id)).toEqual([]);
    expect(await rolesIn(id)).toEqual(["owner"]);
  });
});

/** The same person with a new session. */
async function newSession(person: Person): Promise<Client> {
  const { anonymous } = world.service;
  const answer = await anonymous.post("/auth/login", { email: person.email, password: PASSWORD });
  const cookie = cookieOf(answer);
  const request: Client["request"] = (method, path, body, headers = {}) =>
    anonymous.request(method, path, body, { ...headers, Cookie: cookie });
  return { ...person, cookie, request, post: (path, body) => request("POST", path, body) };
}

describe("the token of an invitation", () => {
  it.each(["A".repeat(43), "a".repeat(43), "0"])(
    "is rejected when it is guessed: %s",
    async (token) => {
      await invited();
      expect((await lookUp(token)).status).toBe(400);
      expect((await accept(token)).status).toBe(400);
    },
  );

  it("expires after seven days, on withdrawal, and with the workspace", async () => {
    const late = await invited();
    clock.now = START + 7 * DAY;
    expect(refusalOf(await accept(late.token))).toEqual(OVER);
    clock.now = START;
    const { id, invitationId, token } = await invited();
    const path = `/workspaces/${id}/invitations/${invitationId}`;
    expect((await owner.delete(path)).status).toBe(204);
    expect((await owner.delete(path)).status).toBe(404);
    expect(refusalOf(await accept(token))).toEqual(OVER);
    const gone = await invited();
    expect((await owner.delete(`/workspaces/${gone.id}`)).status).toBe(204);
    expect(refusalOf(await accept(gone.token))).toEqual(OVER);
    expect(
      await allRows("select 1 from users where email in (?, ?)", late.email, gone.email),
    ).toEqual([]);
  });

  it("is invalid while its inviter may not manage members, until another owner resends it", async () => {
    const id = await newWorkspace(owner);
    const second = await newMember(world.service, id, owner, "owner");
    const email = address();
    const answer = await invite(id, email, "admin", second);
    const token = await world.tokenFor(email);
    await changeRole(id, owner, second, "developer");
    expect(refusalOf(await lookUp(token))).toEqual(OVER);
    await removeFrom(id, owner, second);
    expect(refusalOf(await accept(token))).toEqual(OVER);
    const resend = `/workspaces/${id}/invitations/${String(answer.body["id"])}/resend`;
    expect((await owner.post(resend)).body).toMatchObject({ email, invited_by: owner.id });
    expect((await accept(await world.tokenFor(email))).status).toBe(201);
    expect(await rolesIn(id)).toEqual(["admin", "owner"]);
  });

  it("is useless to the account of another address or to an anonymous caller", async () => {
    const { id, email, token } = await invited();
    const other = await newPerson(world.service);
    expect(refusalOf(await accept(token, {}, other.cookie))).toEqual([
      403,
      `this invitation is for ${email}: sign in with that address`,
    ]);
    expect((await accept(token, {})).status).toBe(401);
    expect(await rolesIn(id)).toEqual(["owner"]);
    expect((await accept(token)).status).toBe(201);
  });

  it("creates no second account for an address", async () => {
    const email = address();
    await world.service.anonymous.post("/auth/register", { email, ...account });
    const { token } = await invited(email);
    expect(await accept(token)).toMatchObject({ status: 409, body: { code: "has_account" } });
    expect((await lookUp(token)).status).toBe(200);
  });

  it("does not readmit a person who was added and removed in the meantime", async () => {
    const person = await newPerson(world.service);
    const { id, token } = await invited(person.email, "owner");
    await addTo(id, selfHosted(world.service, owner), person, "viewer");
    expect((await removeFrom(id, owner, person)).status).toBe(204);
    expect(refusalOf(await accept(token, {}, person.cookie))).toEqual(OVER);
    expect(await rolesIn(id)).toEqual(["owner"]);
    expect(await listed(id)).toEqual([]);
  });

  it("stays the same when an owner removes a person who is not a member", async () => {
    const person = await newPerson(world.service);
    const { id, token } = await invited(person.email);
    expect((await removeFrom(id, owner, person)).status).toBe(404);
    expect((await accept(token, {}, person.cookie)).status).toBe(200);
  });

  it("keeps the role of a person who was added in the meantime", async () => {
    const person = await newPerson(world.service);
    const { id, token } = await invited(person.email, "owner");
    await addTo(id, selfHosted(world.service, owner), person, "viewer");
    expect((await accept(token, {}, person.cookie)).status).toBe(200);
    expect(await rolesIn(id)).toEqual(["owner", "viewer"]);
  });

  it("creates one account, one membership and one entry for many simultaneous acceptances", async () => {
    for (let round = 0; round < 4; round++) {
      const { id, email, token } = await invited();
      const answers = await Promise.all(Array.from({ length: 5 }, () => accept(token)));
      const [first, ...others] = statusesOf(answers);
      expect(first).toBe(201);
      for (const status of others) expect([400, 409]).toContain(status);
      expect(await allRows("select email from users where email = ?", email)).toHaveLength(1);
      expect(await rolesIn(id)).toEqual(["developer", "owner"]);
      const told = (await auditOf(id)).filter(({ action }) => String(action).endsWith("_accepted"));
      expect(told).toHaveLength(1);
    }
  });

  it("is accepted once by a session that sends many requests at once", async () => {
    const person = await newPerson(world.service);
    const { id, token } = await invited(person.email);
    const tries = Array.from({ length: 5 }, () => accept(token, {}, person.cookie));
    expect(statusesOf(await Promise.all(tries))).toEqual([200, 400, 400, 400, 400]);
    expect(await rolesIn(id)).toEqual(["developer", "owner"]);
  });

  it("is either accepted or withdrawn when both race, and never partially", async () => {
    for (let round = 0; round < 4; round++) {
      const { id, email, invitationId, token } = await invited();
      const path = `/workspaces/${id}/invitations/${invitationId}`;
      const [accepted, withdrawn] = await Promise.all([accept(token), owner.delete(path)]);
      const isIn = accepted.status === 201;
      expect(withdrawn.status).toBe(isIn ? 404 : 204);
      expect(await rolesIn(id)).toEqual(isIn ? ["developer", "owner"] : ["owner"]);
      const users = await allRows("select id from users where email = ?", email);
      expect(users).toHaveLength(isIn ? 1 : 0);
    }
  });
});

describe("the mail of an invitation", () => {
  it("is not sent after the invitation is withdrawn", async () => {
    const id = await newWorkspace(owner);
    const email = address();
    const answer = await invite(id, email);
    await owner.delete(`/workspaces/${id}/invitations/${String(answer.body["id"])}`);
    await world.deliver();
    expect(await receivedMessages(email)).toEqual([]);
    const pending = "select id from pending_mails where data ->> 'to' = ?";
    expect(await allRows(pending, email)).toEqual([]);
  });

  it("is sent once, by the minute sweep, if the queue loses its message", async () => {
    const id = await newWorkspace(owner);
    const email = address();
    await invite(id, email);
    const lost = world.woken.splice(0);
    clock.now += 3 * 60_000;
    await runScheduled(await world.service.deps(), EVERY_MINUTE);
    await world.deliver();
    world.woken.push(...lost);
    await world.deliver();
    expect(await receivedMessages(email)).toHaveLength(1);
  });

  it("reaches an address at most three times an hour, regardless of its + tag", async () => {
    const [name = "", domain = ""] = address().split("@");
    const answers: Answer[] = [];
    for (let n = 0; n < 4; n++)
      answers.push(await invite(await newWorkspace(owner), `${name}+${n}@${domain}`));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
    expect(Number(answers[3]?.headers.get("Retry-After"))).toBeGreaterThan(60);
    expect(answers[3]?.body).toMatchObject({ error: "rate limit of 3 per hour exceeded" });
  });

  it("is rejected with 409 and a remedy while the service has no sender, and nothing is stored", async () => {
    const id = await newWorkspace(owner);
    await world.choose(null);
    const answer = await invite(id, address());
    await world.choose(world.project.id);
    expect(refusalOf(answer)).toEqual([409, expect.stringContaining("PUT /api/v1/service/mail")]);
    expect(await listed(id)).toEqual([]);
  });
});

describe("the nightly job", () => {
  it("deletes expired tokens, and invitations a month later", async () => {
    const { email } = await invited();
    const rows = async () => [
      (await allRows("select 1 from workspace_invitations where email = ?", email)).length,
      (await allRows("select 1 from mailed_tokens where expires_at = ?", START + 7 * DAY)).length >
        0,
    ];
    clock.now = START + 8 * DAY;
    await runScheduled(await world.service.deps(), EVERY_NIGHT);
    expect(await rows()).toEqual([1, false]);
    clock.now = START + 38 * DAY;
    await runScheduled(await world.service.deps(), EVERY_NIGHT);
    expect(await rows()).toEqual([0, false]);
  });
});

describe("a client that presents tokens", () => {
  it("may present ten a minute", async () => {
    const headers = { "CF-Connecting-IP": "203.0.113.201" };
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) {
      const path = ["look-up", "accept"][n % 2];
      const body = { token: "x".repeat(43), ...account };
      const answer = await createService(env).anonymous.post(
        `/auth/invitations/${path}`,
        body,
        headers,
      );
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
  });
});

// The last test: the limit of the service holds for all of them.
describe("an invitation on a busy service", () => {
  it("is rejected beyond 1,000 an hour for the entire service", async () => {
    const ctx = { ...systemContext(await world.service.deps(), "test"), clientIp: "" };
    const hash = sha256Hex("all");
    for (let n = 0; n < 10; n++)
      await Promise.all(
        Array.from({ length: 100 }, () => take(ctx, shardOf("invites", hash), hash, 1_000, HOUR)),
      );
    expect((await invite(await newWorkspace(owner), address())).status).toBe(429);
  });
});
