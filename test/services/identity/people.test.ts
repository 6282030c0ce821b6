/* Proof of an account's address, search for accounts, and visibility of logins and sessions. */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createAccountStatements } from "../../../scripts/accounts/account-statements.ts";
import { resetPasswordStatements } from "../../../scripts/accounts/account-statements.ts";
import { allRows, type Row } from "../../support/rows.ts";
import { createService, unique, type Client } from "../../support/service.ts";
import { testLicense } from "../../support/license.ts";
import { HOUR, iso, standingClock } from "../../support/times.ts";
import {
  addTo,
  newPerson,
  newWorkspace,
  PASSWORD,
  refusalOf,
  rolesIn,
  selfHosted,
} from "../../support/workspaces.ts";

const START = Date.UTC(2026, 9, 1, 12);
const clock = standingClock(START);
const service = createService(await testLicense("team"), { now: () => clock.now });

const address = () => `${unique("pia")}@people.test`;
const cookieOf = (headers: Headers) => headers.get("Set-Cookie")?.split(";")[0] ?? "";
const logIn = (email: string, headers: Record<string, string> = {}, password = PASSWORD) =>
  service.anonymous.post("/auth/login", { email, password }, headers);
const as = (client: { cookie: string }) => ({
  request: (method: string, path: string) =>
    service.anonymous.request(method, path, undefined, { Cookie: client.cookie }),
});

/** Account of open registration, whose address is unproven. */
async function newStranger() {
  const email = address();
  const answer = await service.anonymous.post("/auth/register", {
    email,
    name: "Pia Person",
    password: PASSWORD,
  });
  const { id } = answer.body["user"] as { id: string };
  return { id, email, cookie: cookieOf(answer.headers) };
}

const isVerified = async (email: string) =>
  (await allRows("select verified_at from users where email = ?", email))[0]?.["verified_at"] !==
  null;

/** Runs the statements of an operator's script. */
const runScript = (statements: string[]) =>
  env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));

describe("an account's address", () => {
  it("is verified by the setup token, and not by a registration without it", async () => {
    const { email } = await newStranger();
    expect(await isVerified(email)).toBe(false);
    expect(await isVerified((await service.newOwner()).email)).toBe(true);
    const wrong = { email: address(), name: "Pia", password: PASSWORD, setup_token: "wrong" };
    expect((await service.anonymous.post("/auth/register", wrong)).status).toBe(201);
    expect(await isVerified(wrong.email)).toBe(false);
  });

  it("is verified by the operator's script, which creates accounts and resets passwords", async () => {
    const made = address();
    const facts = { passwordHash: "", nowMs: START };
    await runScript(createAccountStatements({ email: made, name: "Made", ...facts }));
    expect(await isVerified(made)).toBe(true);
    const { email } = await newStranger();
    await runScript(resetPasswordStatements({ email, ...facts }));
    expect(await isVerified(email)).toBe(true);
  });

  it("is shown by GET /auth/me as verified or not", async () => {
    const stranger = await as(await newStranger()).request("GET", "/auth/me");
    expect(stranger.body).toMatchObject({ user: { email_verified: false } });
    const { body } = await (await service.newOwner()).get("/auth/me");
    expect(body).toMatchObject({ user: { email_verified: true } });
  });

  it("is not verified by an owner who creates the account", async () => {
    const owner = selfHosted(service, await newPerson(service));
    const email = address();
    const user = { email, name: "Pia", password: PASSWORD };
    await owner.post(`/workspaces/${await newWorkspace(owner)}/users`, user);
    expect(await isVerified(email)).toBe(false);
  });
});

describe("POST /workspaces/{id}/members", () => {
  it("does not find an unverified account that another person created", async () => {
    const [attacker, victim] = [await newPerson(service), await newPerson(service)];
    const email = address();
    const user = { email, name: "Pia", password: PASSWORD };
    const own = await newWorkspace(attacker);
    const made = await selfHosted(service, attacker).post(`/workspaces/${own}/users`, user);
    expect(made.status).toBe(201);
    const { email: registered } = await newStranger();
    const id = await newWorkspace(victim);
    const unknown = await victim.post(`/workspaces/${id}/members`, { email: address() });
    for (const known of [email, registered]) {
      const answer = await victim.post(`/workspaces/${id}/members`, { email: known });
      expect(refusalOf(answer)).toEqual([404, "user not found"]);
      expect(answer.body).toEqual(unknown.body);
    }
    expect(await rolesIn(id)).toEqual(["owner"]);
  });

  it("finds an account that the caller created, and every verified one", async () => {
    const owner = selfHosted(service, await newPerson(service));
    const email = address();
    const user = { email, name: "Pia", password: PASSWORD };
    await owner.post(`/workspaces/${await newWorkspace(owner)}/users`, user);
    const id = await newWorkspace(owner);
    expect((await owner.post(`/workspaces/${id}/members`, { email })).status).toBe(201);
    expect((await addTo(id, owner, await newPerson(service))).status).toBe(201);
    expect(await rolesIn(id)).toEqual(["member", "member", "owner"]);
  });

  it("changes the role of a member with an unverified address", async () => {
    const second = await newPerson(service);
    const owner = selfHosted(service, await newPerson(service));
    const id = await newWorkspace(owner);
    const email = address();
    const user = { email, name: "Pia", password: PASSWORD };
    await owner.post(`/workspaces/${id}/users`, user);
    await addTo(id, owner, second, "owner");
    const answer = await second.post(`/workspaces/${id}/members`, { email, role: "viewer" });
    expect(answer).toMatchObject({ status: 201, body: { email, role: "viewer" } });
  });
});

describe("a workspace in cloud mode", () => {
  it("creates no account for other people", async () => {
    const owner = await newPerson(service);
    const path = `/workspaces/${await newWorkspace(owner)}`;
    const user = { email: address(), name: "Pia", password: PASSWORD };
    expect(await owner.post(`${path}/users`, user)).toMatchObject({
      status: 403,
      body: { code: "accounts_by_invitation" },
    });
    expect(await allRows("select 1 from users where email = ?", user.email)).toEqual([]);
    expect((await owner.post(`${path}/users`, { ...user, name: "" })).status).toBe(400);
  });

  it("hides the name of a person whom it added without consent", async () => {
    const [owner, person] = [await newPerson(service), await newPerson(service)];
    const id = await newWorkspace(owner);
    await addTo(id, selfHosted(service, owner), person, "viewer");
    expect((await addTo(id, owner, person, "admin")).body).toMatchObject({
      role: "admin",
      name: "",
    });
    const { body } = await owner.get<{ members: { user_id: string; name: string }[] }>(
      `/workspaces/${id}/members`,
    );
    const nameOf = (userId: string) => body.members.find((one) => one.user_id === userId)?.name;
    expect([nameOf(owner.id), nameOf(person.id)]).toEqual(["Olive Owner", ""]);
  });

  it("lets its last owner leave while it has no project, and is then deleted", async () => {
    const owner = await newPerson(service);
    const id = await newWorkspace(owner);
    const leave = () => owner.delete(`/workspaces/${id}/members/${owner.id}`);
    const project = await owner.post("/projects", { name: "P", workspace_id: id });
    expect(refusalOf(await leave())).toEqual([409, "workspace still has projects"]);
    await owner.delete(`/projects/${String(project.body["id"])}`);
    expect((await leave()).status).toBe(204);
    expect((await owner.get(`/workspaces/${id}`)).status).toBe(404);
  });
});

describe("a login", () => {
  const agent = { "User-Agent": "browser of Pia", "CF-Connecting-IP": "203.0.113.77" };
  const logins = async (client: Client, path: string) => {
    const { body } = await client.get<{ entries: Row[] }>(`${path}/audit-log?action=user.login`);
    return body.entries;
  };

  it("is an entry of the user's own account, with address and agent", async () => {
    const person = await newPerson(service);
    await logIn(person.email, agent);
    await logIn(person.email, agent, "wrong horse");
    const { body } = await person.get<{ entries: Row[]; total: number }>("/auth/audit-log");
    expect(body.total).toBe(2);
    expect(body.entries.map(({ action }) => String(action)).toSorted()).toEqual([
      "user.login",
      "user.login_failed",
    ]);
    for (const entry of body.entries)
      expect(entry).toMatchObject({ user_id: person.id, user_agent: "browser of Pia" });
    expect((await service.anonymous.get("/auth/audit-log")).status).toBe(401);
    const other = await newPerson(service);
    expect(await logins(other, "/auth")).toEqual([]);
  });

  it("is hidden from the owner of a workspace that the user was added to", async () => {
    const [owner, person] = [await newPerson(service), await newPerson(service)];
    const id = await newWorkspace(owner);
    const by = selfHosted(service, owner);
    await addTo(id, by, person, "admin");
    const email = address();
    await by.post(`/workspaces/${id}/users`, { email, name: "Pia", password: PASSWORD });
    for (const one of [person.email, email]) {
      expect((await logIn(one, agent)).status).toBe(200);
      await logIn(one, agent, "wrong horse");
    }
    const { body } = await owner.get<{ entries: Row[] }>(`/workspaces/${id}/audit-log`);
    expect(body.entries.length).toBeGreaterThan(2);
    expect(JSON.stringify(body)).not.toMatch(/user\.login|browser of Pia|203\.0\.113\.77/);
    expect(await logins(person, "/auth")).toHaveLength(1);
  });
});

describe("the sessions of a user", () => {
  interface Listed {
    id: string;
    created_at: string;
    last_seen_at: string;
    current: boolean;
  }
  const list = async (client: { cookie: string }) => {
    const answer = await as(client).request("GET", "/auth/sessions");
    return answer.body["sessions"] as Listed[];
  };

  it("are listed newest first with address and agent, and the caller's own is marked", async () => {
    const person = await newPerson(service);
    clock.now += HOUR;
    const headers = { "User-Agent": "phone", "CF-Connecting-IP": "203.0.113.78" };
    const phone = { cookie: cookieOf((await logIn(person.email, headers)).headers) };
    expect(await list(person)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created_at: iso(START + HOUR),
        last_seen_at: iso(START + HOUR),
        expires_at: iso(START + HOUR + 7 * 24 * HOUR),
        ip_address: "203.0.113.78",
        user_agent: "phone",
        current: false,
      },
      expect.objectContaining({ created_at: iso(START), current: true }),
    ]);
    expect((await list(phone)).map(({ current }) => current)).toEqual([true, false]);
  });

  it("show neither the token nor its hash, and no expired session", async () => {
    const person = await newPerson(service);
    await logIn(person.email);
    const [row] = await allRows("select token_hash from sessions where user_id = ?", person.id);
    const answer = await person.get("/auth/sessions");
    expect(JSON.stringify(answer.body)).not.toContain(String(row?.["token_hash"]));
    await env.DB.prepare("update sessions set expires_at = ? where user_id = ? and token_hash = ?")
      .bind(START, person.id, String(row?.["token_hash"]))
      .run();
    const left = await allRows("select id from sessions where user_id = ?", person.id);
    expect(left).toHaveLength(2);
    const cookie = cookieOf((await logIn(person.email)).headers);
    const living = left.length; // the new one and the unexpired one
    expect(await list({ cookie })).toHaveLength(living);
  });

  it("show their last use to the hour, at one write an hour", async () => {
    const person = await newPerson(service);
    clock.now += HOUR;
    service.d1.reset();
    await person.get("/auth/me");
    expect(service.d1.rowsWritten).toBe(0);
    clock.now += 1;
    await person.get("/auth/me");
    expect(service.d1.rowsWritten).toBeGreaterThan(0);
    expect(await list(person)).toMatchObject([{ last_seen_at: iso(START + HOUR + 1) }]);
    service.d1.reset();
    await person.get("/auth/me");
    expect(service.d1.rowsWritten).toBe(0);
  });

  it("can be ended one by one by their own user, including the caller's session", async () => {
    const [person, other] = [await newPerson(service), await newPerson(service)];
    const second = { cookie: cookieOf((await logIn(person.email)).headers) };
    const [first] = (await list(second)).filter(({ current }) => !current);
    const foreign = (await list(other))[0]?.id ?? "";
    for (const id of [foreign, crypto.randomUUID()])
      expect(refusalOf(await as(second).request("DELETE", `/auth/sessions/${id}`))).toEqual([
        404,
        "session not found",
      ]);
    expect((await other.get("/auth/me")).status).toBe(200);
    const end = (id = "") => as(second).request("DELETE", `/auth/sessions/${id}`);
    expect((await end(first?.id)).status).toBe(204);
    expect((await person.get("/auth/me")).status).toBe(401);
    expect((await end((await list(second))[0]?.id)).status).toBe(204);
    expect((await as(second).request("GET", "/auth/me")).status).toBe(401);
    const told = await allRows(
      "select target_id from audit_entries where scope_id = ? and action = 'user.session_ended'",
      person.id,
    );
    expect(told).toHaveLength(2);
  });
});
