/* The first proof of an address by a password link: it ends what another person could use before. */
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { resetPasswordStatements } from "../../../scripts/accounts/account-statements.ts";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { receivedMessages } from "../../support/mailbox.ts";
import { allRows } from "../../support/rows.ts";
import { mailingWorld, plain, tokenIn, type MailingWorld } from "../../support/service-mail.ts";
import { unique, type Client } from "../../support/service.ts";
import { EVERY_MINUTE, standingClock } from "../../support/times.ts";
import {
  addTo,
  auditOf,
  newPerson,
  newWorkspace,
  PASSWORD,
  rolesIn,
  type Person,
} from "../../support/workspaces.ts";

const clock = standingClock(Date.UTC(2026, 9, 1, 12));
let world: MailingWorld;
beforeAll(async () => {
  world = await mailingWorld(() => clock.now, { DEPLOYMENT_MODE: "self_hosted" });
});

const setUnproven = (person: Person) =>
  allRows("update users set verified_at = null where id = ?", person.id);

async function resetPassword({ email }: { email: string }) {
  const { anonymous } = world.service;
  expect((await anonymous.post("/auth/forgot", { email })).status).toBe(204);
  const token = await world.tokenFor(email);
  const answer = await anonymous.post("/auth/reset", { token, password: "better battery" });
  expect(answer.status).toBe(204);
  return world.service.anonymous.post("/auth/login", { email, password: "better battery" });
}

/** The only workspace of a person. */
const workspaceOf = async (person: Client) =>
  (await person.get<{ workspaces: { id: string }[] }>("/workspaces")).body.workspaces[0]?.id ?? "";

/** Everything by which others than this person get into a workspace of theirs. */
async function openEverything(person: Person) {
  const workspaceId = await workspaceOf(person);
  const friend = await newPerson(world.service);
  const guest = `${unique("guest")}@people.test`;
  const project = await person.newProject();
  const path = `/projects/${project.id}`;
  const webhook = await person.post(`${path}/webhooks`, { url: "https://hooks.example/in" });
  const ingest = await person.get<{ url: string }>(`${path}/bounce-webhook`);
  expect([webhook.status, ingest.status]).toEqual([201, 200]);
  expect((await addTo(workspaceId, person, friend, "owner")).status).toBe(201);
  const invitation = { email: guest, role: "owner" };
  expect((await person.post(`/workspaces/${workspaceId}/invitations`, invitation)).status).toBe(
    201,
  );
  const token = await world.tokenFor(guest);
  const own = await friend.post(`${path}/api-keys`, { name: "Own", type: "sdk" });
  const keys = [project.key, String(own.body["key"])];
  const { anonymous, withKey, fetch } = world.service;

  /** The statuses of all ways in: two keys, the member, the invitation, the ingest URL. */
  const waysIn = async () => {
    const { pathname, search } = new URL(ingest.body.url);
    const body = JSON.stringify({ email: `${unique("gone")}@people.test`, type: "hard" });
    const posted = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    const answers = [
      await withKey(keys[0] ?? "").get(`${path}/subscribers`),
      await withKey(keys[1] ?? "").get("/topics"),
      await friend.get(path),
      await anonymous.post("/auth/invitations/look-up", { token }),
      await fetch(`${pathname}${search}`, posted),
    ];
    return answers.map(({ status }) => status);
  };
  const isActive = async () =>
    (await allRows("select active from webhooks where project_id = ?", project.id))[0]?.["active"];
  expect([await waysIn(), await isActive()]).toEqual([[200, 200, 200, 200, 200], 1]);
  return { workspaceId, path, waysIn, isActive };
}

const CLOSED = [401, 401, 403, 400, 401];

describe("a password link that first verifies an address", () => {
  let stranger: Person;
  beforeEach(async () => {
    stranger = await newPerson(world.service);
    await setUnproven(stranger);
  });

  it("revokes keys, ingest URLs, members and invitations, and pauses webhooks", async () => {
    const { workspaceId, path, waysIn, isActive } = await openEverything(stranger);
    const { headers } = await resetPassword(stranger);
    expect([await waysIn(), await isActive()]).toEqual([CLOSED, 0]);
    expect(await rolesIn(workspaceId)).toEqual(["owner"]);
    const Cookie = headers.get("Set-Cookie")?.split(";")[0] ?? "";
    const { anonymous } = world.service;
    expect((await anonymous.request("GET", path, undefined, { Cookie })).status).toBe(200);
  });

  it("informs the user, in a mail and in the audit log of the account", async () => {
    await openEverything(stranger);
    await resetPassword(stranger);
    const counts = { api_keys: 2, ingest_urls: 1, invitations: 1, members: 1, webhooks: 1 };
    const [entry] = (await auditOf(stranger.id)).filter(
      ({ action }) => action === "user.password_reset",
    );
    expect(entry?.metadata).toEqual(counts);
    clock.now += 3 * 60_000;
    await runScheduled(await world.service.deps(), EVERY_MINUTE);
    expect(plain(await world.mailTo(stranger.email))).toContain(
      "API keys and members were removed",
    );
  });

  it("is logged, with the account, because the mail servers of its projects stay", async () => {
    const warned = vi.spyOn(console, "warn");
    await resetPassword(stranger);
    await resetPassword(stranger); // proves nothing new
    const lines = warned.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines.filter(({ event }) => event === "account_cleared")).toEqual([
      { level: "warn", event: "account_cleared", userId: stranger.id },
    ]);
  });

  it("sends no mail if there was nothing to revoke", async () => {
    await resetPassword(stranger);
    clock.now += 3 * 60_000;
    await runScheduled(await world.service.deps(), EVERY_MINUTE);
    await world.deliver();
    expect(await receivedMessages(stranger.email)).toHaveLength(1); // the link
  });

  it("revokes nothing in the workspaces of others", async () => {
    const owner = await newPerson(world.service);
    const id = await newWorkspace(owner);
    const email = `${unique("made")}@people.test`;
    const account = { email, name: "Mia", password: PASSWORD, role: "owner" };
    expect((await owner.post(`/workspaces/${id}/users`, account)).status).toBe(201);
    const { headers } = await world.service.anonymous.post("/auth/login", account);
    const Cookie = headers.get("Set-Cookie")?.split(";")[0] ?? "";
    const post = (path: string, body: object) =>
      world.service.anonymous.request("POST", path, body, { Cookie });
    const project = await post("/projects", { name: "Theirs", workspace_id: id });
    const path = `/projects/${String(project.body["id"])}`;
    const made = await post(`${path}/api-keys`, { name: "Server", type: "sk" });
    await resetPassword({ email });
    const key = world.service.withKey(String(made.body["key"]));
    expect((await key.get(`${path}/subscribers`)).status).toBe(200);
    expect(await rolesIn(id)).toEqual(["owner", "owner"]);
  });

  it("does not include the operator's passwords, which only end sessions", async () => {
    const { waysIn, isActive } = await openEverything(stranger);
    const facts = { email: stranger.email, passwordHash: "", nowMs: clock.now };
    const { DB } = world.service.env;
    await DB.batch(resetPasswordStatements(facts).map((statement) => DB.prepare(statement)));
    expect([await waysIn(), await isActive()]).toEqual([[200, 200, 200, 200, 200], 1]);
  });
});

describe("a user with a verified address", () => {
  it("keeps keys, members, invitations and webhooks after a password link", async () => {
    const person = await newPerson(world.service);
    const { waysIn, isActive } = await openEverything(person);
    await resetPassword(person);
    expect([await waysIn(), await isActive()]).toEqual([[200, 200, 200, 200, 200], 1]);
  });

  it("also keeps them after verifying the address with the session of the account", async () => {
    const person = await newPerson(world.service);
    await setUnproven(person);
    const { waysIn } = await openEverything(person);
    expect((await person.post("/auth/confirm/resend")).status).toBe(204);
    const token = await world.tokenFor(person.email);
    expect((await person.post("/auth/confirm", { token })).status).toBe(204);
    await resetPassword(person);
    expect(await waysIn()).toEqual([200, 200, 200, 200, 200]);
  });
});

describe("an account that another user created", () => {
  it("is empty after the password link, names its creator, and stays in the creator's workspace", async () => {
    const { anonymous, withKey } = world.service;
    const [maker, friend] = [await newPerson(world.service), await newPerson(world.service)];
    const team = await newWorkspace(maker);
    const email = `${unique("boss")}@people.test`;
    const account = { email, name: "Boss", password: PASSWORD, role: "admin" };
    expect((await maker.post(`/workspaces/${team}/users`, account)).status).toBe(201);
    const { headers } = await anonymous.post("/auth/login", account);
    const Cookie = headers.get("Set-Cookie")?.split(";")[0] ?? "";
    const as = (cookie: string) => (method: string, path: string, body?: object) =>
      anonymous.request(method, path, body, { Cookie: cookie });
    const asMaker = as(Cookie);
    const me = await asMaker("GET", "/auth/me");
    expect(me.body).toMatchObject({ user: { created_by: maker.email, email_verified: false } });
    const workspaces = me.body["workspaces"] as { id: string }[];
    const own = workspaces.find(({ id }) => id !== team)?.id ?? "";
    const owner = { email: friend.email, role: "owner" };
    expect((await asMaker("POST", `/workspaces/${own}/members`, owner)).status).toBe(201);
    const project = await asMaker("POST", "/projects", { name: "P", workspace_id: own });
    const path = `/projects/${String(project.body["id"])}`;
    const made = await asMaker("POST", `${path}/api-keys`, { name: "Key", type: "sk" });
    const key = withKey(String(made.body["key"]));
    expect((await key.get(`${path}/subscribers`)).status).toBe(200);

    // The session and the password are the maker's, so no confirmation proves the address.
    expect((await asMaker("POST", "/auth/confirm/resend")).status).toBe(204);
    const mail = await world.mailTo(email);
    expect(plain(mail)).toContain("/reset-password#");
    const better = { email, password: "better battery" };
    const reset = { token: tokenIn(mail), password: better.password };
    expect((await anonymous.post("/auth/reset", reset)).status).toBe(204);
    expect((await friend.get(path)).status).toBe(403);
    expect((await key.get(`${path}/subscribers`)).status).toBe(401);
    expect((await asMaker("GET", "/auth/me")).status).toBe(401);
    expect(await rolesIn(own)).toEqual(["owner"]);
    expect(await rolesIn(team)).toEqual(["admin", "owner"]);
    const { body } = await maker.get<{ members: { email: string; created_by: string | null }[] }>(
      `/workspaces/${team}/members`,
    );
    const creators = body.members.map((member) => [member.email, member.created_by] as const);
    expect(new Map(creators)).toEqual(
      new Map([
        [maker.email, null],
        [email, maker.id],
      ]),
    );
  });

  it("is not verified by an invitation that its creator accepts", async () => {
    const { anonymous } = world.service;
    const [maker, owner] = [await newPerson(world.service), await newPerson(world.service)];
    const email = `${unique("boss")}@people.test`;
    const account = { email, name: "Boss", password: PASSWORD };
    await maker.post(`/workspaces/${await newWorkspace(maker)}/users`, account);
    const { headers } = await anonymous.post("/auth/login", account);
    const Cookie = headers.get("Set-Cookie")?.split(";")[0] ?? "";
    await owner.post(`/workspaces/${await newWorkspace(owner)}/invitations`, { email });
    const token = await world.tokenFor(email);
    const accept = { method: "POST", path: "/auth/invitations/accept" };
    const answer = await anonymous.request(accept.method, accept.path, { token }, { Cookie });
    expect(answer.status).toBe(200);
    expect(await allRows("select verified_at from users where email = ?", email)).toEqual([
      { verified_at: null },
    ]);
  });
});
