/*
 * Callers and the endpoints that they may call (API reference §2), by the answers of a few routes.
 * The rows of people, sessions and keys go straight into the tables, so no request precedes the one
 * that a test makes.
 */
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/lib/hash.ts";
import {
  authorizeKey,
  authorizeProject,
  authorizeSession,
  authorizeWorkspace,
  type Credential,
} from "../../../src/services/access/index.ts";
import { usableByKey, type KeyGrant } from "../../../src/services/access/capabilities.ts";
import { testLicense } from "../../support/license.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { createService, unique, type Answer, type Client } from "../../support/service.ts";
import { DAY, HOUR, MINUTE, SECOND, standingClock } from "../../support/times.ts";

const START = Date.UTC(2026, 9, 1);
const clock = standingClock(START);
const service = createService({}, { now: () => clock.now });
const licensed = createService(await testLicense("team"), { now: () => clock.now });

/** A person with one session, which began at `START`. */
async function newPerson(session: { last_seen_at?: number; expires_at?: number } = {}) {
  const [id, token] = [crypto.randomUUID(), unique("token")];
  const email = `${unique("person")}@people.test`;
  const at = { created_at: START, updated_at: START };
  await insertRow("users", {
    id,
    email,
    name: "Pat Person",
    password_hash: "none",
    verified_at: START,
    ...at,
  });
  await insertRow("sessions", {
    token_hash: sha256Hex(token),
    user_id: id,
    created_at: START,
    expires_at: START + 7 * DAY,
    ends_at: START + 30 * DAY,
    last_seen_at: START,
    ...session,
  });
  const cookie = `__Host-session=${token}`;
  const call = (method: string, path: string, body?: unknown, from = service) =>
    from.anonymous.request(method, path, body, { Cookie: cookie });
  return {
    id,
    email,
    call,
    get: (path: string) => call("GET", path),
    credential: { kind: "cookie", token } as const,
    row: async () =>
      (
        await allRows(
          "select expires_at as expires, last_seen_at as seen from sessions where user_id = ?",
          id,
        )
      )[0],
  };
}
type Person = Awaited<ReturnType<typeof newPerson>>;

/** A workspace with one project; `join` adds a person with a role. */
async function newPlace() {
  const [workspaceId, id] = [crypto.randomUUID(), crypto.randomUUID()];
  const by = { created_by: crypto.randomUUID(), created_at: START, updated_at: START };
  await insertRow("workspaces", { id: workspaceId, name: "Team", ...by });
  await insertRow("projects", { id, workspace_id: workspaceId, name: "P", description: "", ...by });
  const join = async (person: Person, role: string) => {
    const row = { workspace_id: workspaceId, user_id: person.id, role, joined_at: START };
    await insertRow("workspace_members", row);
    return person;
  };
  return {
    workspaceId,
    id,
    path: `/projects/${id}`,
    workspace: `/workspaces/${workspaceId}`,
    join,
    member: async (role: string) => join(await newPerson(), role),
  };
}

/** A key of a project, and the time of its last use. */
async function newKey(
  projectId: string,
  type: KeyGrant["type"],
  more: { capabilities?: string; rate_limit_per_minute?: number } = {},
) {
  const [id, key] = [crypto.randomUUID(), `${type}_${unique("key")}`];
  const row = { id, project_id: projectId, name: "Key", type, key_hash: sha256Hex(key) };
  const by = { created_by: crypto.randomUUID(), created_at: START };
  const capabilities = JSON.stringify(usableByKey(type));
  await insertRow("api_keys", { ...row, prefix: "k", ...by, capabilities, ...more });
  const client: Client = service.withKey(key);
  const lastUse = async () =>
    (
      await allRows<{ at: number | null }>(
        "select last_used_at as at from api_keys where id = ?",
        id,
      )
    )[0]?.at;
  return Object.assign(client, { lastUse, credential: { kind: "bearer", key } as const });
}

const refusalOf = ({ status, body }: Answer) => [status, body["error"]];
const HOW = "send a key or token in the header `Authorization: Bearer …`";
const NO_SESSION = [
  401,
  `authentication required: this endpoint takes an access token (pat_) or a login session; ${HOW}`,
];
const OVER = [401, "session expired or invalid: sign in again"];

describe("an endpoint for users", () => {
  it("answers with the user of the session", async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    for (const { get, email, id } of [one, other, one])
      expect(await get("/auth/me")).toMatchObject({
        status: 200,
        body: { user: { id, email, name: "Pat Person" } },
      });
  });

  it("answers 401 without a session or with an unknown one", async () => {
    expect(refusalOf(await service.anonymous.get("/auth/me"))).toEqual(NO_SESSION);
    const unknown = { Cookie: `__Host-session=${unique("token")}` };
    const answer = await service.anonymous.request("GET", "/auth/me", undefined, unknown);
    expect(refusalOf(answer)).toEqual(OVER);
  });

  it("answers 401 to keys, including unknown ones, and 403 to public ones", async () => {
    const { id } = await newPlace();
    const ask = async (client: Client) => refusalOf(await client.get("/auth/me"));
    const wants = "this endpoint needs an access token (pat_) or a login session";
    expect(await ask(service.withKey("sk_unknown"))).toEqual(NO_SESSION);
    expect(await ask(await newKey(id, "sk"))).toEqual([
      401,
      `this is a project key (sk_): ${wants}`,
    ]);
    expect(await ask(await newKey(id, "pk"))).toEqual([
      403,
      `this is a public key (pk_): ${wants}`,
    ]);
  });
});

describe("a session", () => {
  it("starts with an idle lifetime of seven days and an absolute one of thirty", async () => {
    const { email } = await service.newOwner();
    const began = await allRows(
      "select expires_at, ends_at from sessions where user_id = (select id from users where email = ?)",
      email,
    );
    expect(began).toEqual([{ expires_at: START + 7 * DAY, ends_at: START + 30 * DAY }]);
  });

  it("expires after seven idle days, to the millisecond", async () => {
    const [used, late] = [await newPerson(), await newPerson()];
    const { path } = await newPlace();
    clock.now = START + 7 * DAY - 1;
    expect((await used.get("/auth/me")).status).toBe(200);
    clock.now = START + 7 * DAY;
    expect(refusalOf(await late.get("/auth/me"))).toEqual(OVER);
    expect(refusalOf(await late.get(`${path}/logs`))).toEqual(OVER);
    expect(await late.row()).toEqual({ expires: START + 7 * DAY, seen: START });
  });

  it("records its use at most once an hour, and that of no other session", async () => {
    const [busy, idle] = [await newPerson(), await newPerson()];
    clock.now = START + HOUR;
    service.d1.reset();
    await busy.get("/auth/me");
    expect(service.d1.rowsWritten).toBe(0);
    clock.now += 1;
    await busy.get("/auth/me");
    expect(await busy.row()).toEqual({ expires: START + 7 * DAY, seen: clock.now });
    expect(await idle.row()).toEqual({ expires: START + 7 * DAY, seen: START });
  });

  it("is renewed for seven days once less than half of its idle lifetime remains", async () => {
    const half = START + 3.5 * DAY;
    const person = await newPerson({ last_seen_at: half - MINUTE });
    clock.now = half;
    await person.get("/auth/me");
    expect(await person.row()).toMatchObject({ expires: START + 7 * DAY });
    clock.now = half + 1;
    await person.get("/auth/me");
    expect(await person.row()).toEqual({ expires: clock.now + 7 * DAY, seen: clock.now });
  });

  it("never lasts longer than thirty days, and costs at most one write an hour in its last days", async () => {
    const person = await newPerson({ expires_at: START + 29 * DAY });
    clock.now = START + 28 * DAY;
    await person.get("/auth/me");
    expect(await person.row()).toEqual({ expires: START + 30 * DAY, seen: clock.now });
    clock.now += MINUTE;
    service.d1.reset();
    expect((await person.get("/auth/me")).status).toBe(200);
    expect(service.d1.rowsWritten).toBe(0);
    clock.now = START + 30 * DAY;
    expect(refusalOf(await person.get("/auth/me"))).toEqual(OVER);
  });
});

describe("an endpoint of a project", () => {
  it("answers each role that has its capability, and 403 to the others", async () => {
    const { member, path } = await newPlace();
    const [owner, viewer] = [await member("owner"), await member("viewer")];
    for (const person of [owner, viewer])
      expect(await person.get(path)).toMatchObject({ status: 200, body: { name: "P" } });
    const rename = { name: "Renamed" };
    expect((await owner.call("PUT", path, rename)).status).toBe(200);
    expect(refusalOf(await viewer.call("PUT", path, { name: "Mine" }))).toEqual([
      403,
      "your role (viewer) lacks the capability projects:write",
    ]);
    expect((await viewer.get(path)).body).toMatchObject(rename);
  });

  it("answers 403 to a user of another workspace, regardless of the role there", async () => {
    const [place, elsewhere] = [await newPlace(), await newPlace()];
    await place.member("owner");
    const stranger = await elsewhere.member("owner");
    const viewer = await place.join(await elsewhere.member("owner"), "viewer");
    expect(refusalOf(await stranger.get(place.path))).toEqual([
      403,
      "you have no access to this project",
    ]);
    expect((await viewer.call("PUT", place.path, { name: "Mine" })).status).toBe(403);
    expect((await viewer.call("PUT", elsewhere.path, { name: "Mine" })).status).toBe(200);
  });

  it("answers 401 without credentials and 404 without the project", async () => {
    const person = await newPerson();
    const unknown = `/projects/${crypto.randomUUID()}`;
    expect(refusalOf(await service.anonymous.get(unknown))).toEqual([
      401,
      `authentication required: this endpoint takes an access token (pat_) or a login session; ${HOW}`,
    ]);
    expect(refusalOf(await person.get(unknown))).toEqual([404, "project not found"]);
  });

  it("answers 402 without the license, before 404, and works with it", async () => {
    const { member, path } = await newPlace();
    const owner = await member("owner");
    const unknown = `/projects/${crypto.randomUUID()}/audit-log`;
    for (const asked of [`${path}/audit-log`, unknown])
      expect(refusalOf(await owner.get(asked))).toEqual([402, "license required for audit log"]);
    const ask = (asked: string) => owner.call("GET", asked, undefined, licensed);
    expect((await ask(`${path}/audit-log`)).status).toBe(200);
    expect((await ask(unknown)).status).toBe(404);
  });

  it("records the user who changes it", async () => {
    const { member, path, id } = await newPlace();
    const owner = await member("admin");
    await owner.call("PUT", path, { name: "Renamed" });
    const trail = await allRows("select user_id from audit_entries where scope_id = ?", id);
    expect(trail).toEqual([{ user_id: owner.id }]);
  });
});

describe("an endpoint of a project that accepts keys", () => {
  const list = "broadcasts";

  it("answers the project's own key, and 403 to another project's", async () => {
    const [place, other] = [await newPlace(), await newPlace()];
    const key = await newKey(place.id, "sk");
    expect(await key.get(`${place.path}/${list}`)).toMatchObject({
      status: 200,
      body: { broadcasts: [] },
    });
    expect(refusalOf(await key.get(`${other.path}/${list}`))).toEqual([
      403,
      "this API key belongs to another project",
    ]);
    expect(refusalOf(await key.get(`/projects/${crypto.randomUUID()}/${list}`))).toEqual([
      404,
      "project not found",
    ]);
  });

  it("answers 401 to unknown keys and to those of the key-based API, 403 to public ones", async () => {
    const { id, path } = await newPlace();
    const ask = async (client: Client) => refusalOf(await client.get(`${path}/${list}`));
    const wants =
      "this endpoint needs a project key (sk_), an access token (pat_) or a login session";
    expect(await ask(service.withKey("sk_unknown"))).toEqual([
      401,
      "invalid API key: it is unknown or revoked",
    ]);
    expect(await ask(await newKey(id, "sdk"))).toEqual([
      401,
      `this is a secret key (sdk_) of the key-based API: ${wants}`,
    ]);
    expect(await ask(await newKey(id, "pk"))).toEqual([
      403,
      `this is a public key (pk_): ${wants}`,
    ]);
  });

  it("answers 401 to its key where only users are allowed", async () => {
    const { id, path } = await newPlace();
    const key = await newKey(id, "sk");
    expect(refusalOf(await key.get(`${path}/logs`))).toEqual([
      401,
      "this is a project key (sk_): this endpoint needs an access token (pat_) or a login session",
    ]);
  });

  it("answers 403 to a key without its capability", async () => {
    const { id, path } = await newPlace();
    const key = await newKey(id, "sk", { capabilities: '["read"]' });
    expect((await key.get(`${path}/${list}`)).status).toBe(200);
    expect(refusalOf(await key.post(`${path}/subscribers`, {}))).toEqual([
      403,
      "this API key lacks the capability subscribers:write",
    ]);
  });

  it("counts a key's calls against its own limit if it has one, else the project's", async () => {
    const { id, path, member } = await newPlace();
    const limited = await newKey(id, "sk", { rate_limit_per_minute: 2 });
    const [plain, owner] = [await newKey(id, "sk"), await member("owner")];
    const limitOf = ({ headers }: Answer) =>
      ["Limit", "Remaining"].map((name) => headers.get(`RateLimit-${name}`));
    expect(limitOf(await limited.post(`${path}/send`, {}))).toEqual(["2", "1"]);
    expect(limitOf(await plain.post(`${path}/send`, {}))).toEqual(["60", "59"]);
    expect(limitOf(await owner.call("POST", `${path}/send`, {}))).toEqual(["60", "58"]);
  });
});

describe("the last use of a key", () => {
  it("is recorded at most once a minute, and only for this key", async () => {
    const { id, path } = await newPlace();
    const [used, idle] = [await newKey(id, "sk"), await newKey(id, "sk")];
    const at = START + HOUR;
    for (const [now, lastUse] of [
      [at, at],
      [at + MINUTE, at],
      [at + MINUTE + 1, at + MINUTE + 1],
      [at + MINUTE + SECOND, at + MINUTE + 1],
    ] as const) {
      clock.now = now;
      expect((await used.get(`${path}/broadcasts`)).status).toBe(200);
      expect(await used.lastUse()).toBe(lastUse);
    }
    expect(await idle.lastUse()).toBeNull();
  });

  it("is recorded by the key-based API, which finds the project by its key", async () => {
    const [place, other] = [await newPlace(), await newPlace()];
    const key = await newKey(place.id, "sdk");
    await newKey(other.id, "sdk");
    const { status, body } = await key.get("/subscribers");
    expect([status, body]).toEqual([200, expect.objectContaining({ success: true })]);
    expect(await key.lastUse()).toBe(START);
  });
});

describe("an endpoint of a workspace", () => {
  it("answers each role that has its capability, and 403 to the others", async () => {
    const { member, workspace } = await newPlace();
    const [owner, viewer] = [await member("owner"), await member("viewer")];
    for (const person of [owner, viewer])
      expect((await person.get(`${workspace}/members`)).status).toBe(200);
    const renamed = await owner.call("PATCH", workspace, { name: "Renamed" });
    expect(renamed).toMatchObject({ status: 200, body: { name: "Renamed" } });
    expect(refusalOf(await viewer.call("PATCH", workspace, { name: "Mine" }))).toEqual([
      403,
      "your role (viewer) lacks the capability workspace:write",
    ]);
    expect((await owner.get(`${workspace}/invitations`)).status).toBe(200);
    expect(refusalOf(await viewer.get(`${workspace}/invitations`))).toEqual([
      403,
      "your role (viewer) lacks the capability members:write",
    ]);
  });

  it("answers 403 to a user of another workspace, regardless of the role there", async () => {
    const [place, elsewhere] = [await newPlace(), await newPlace()];
    await place.member("owner");
    const stranger = await elsewhere.member("owner");
    const viewer = await place.join(await elsewhere.member("owner"), "viewer");
    expect(refusalOf(await stranger.get(`${place.workspace}/members`))).toEqual([
      403,
      "you have no access to this workspace",
    ]);
    expect((await viewer.call("PATCH", place.workspace, { name: "Mine" })).status).toBe(403);
    expect((await viewer.call("PATCH", elsewhere.workspace, { name: "Mine" })).status).toBe(200);
  });

  it("answers 401 to keys and 404 without the workspace", async () => {
    const { id, workspace } = await newPlace();
    const key = await newKey(id, "sk");
    expect((await key.get(`${workspace}/members`)).status).toBe(401);
    const person = await newPerson();
    expect(refusalOf(await person.get(`/workspaces/${crypto.randomUUID()}/members`))).toEqual([
      404,
      "workspace not found",
    ]);
  });

  it("answers 402 without the license, before 404, and works with it", async () => {
    const { member, workspace } = await newPlace();
    const owner = await member("owner");
    const unknown = `/workspaces/${crypto.randomUUID()}/audit-log`;
    for (const asked of [`${workspace}/audit-log`, unknown])
      expect(refusalOf(await owner.get(asked))).toEqual([402, "license required for audit log"]);
    const ask = (asked: string) => owner.call("GET", asked, undefined, licensed);
    expect((await ask(`${workspace}/audit-log`)).status).toBe(200);
    expect((await ask(unknown)).status).toBe(404);
  });

  it("lets a member leave, and lets only an owner remove another member", async () => {
    const { member, workspace } = await newPlace();
    const [owner, viewer, other] = [
      await member("owner"),
      await member("viewer"),
      await member("viewer"),
    ];
    const remove = (who: Person, whom: Person) =>
      who.call("DELETE", `${workspace}/members/${whom.id}`);
    expect(refusalOf(await remove(viewer, other))).toEqual([
      403,
      "your role (viewer) lacks the capability members:write",
    ]);
    expect((await remove(viewer, viewer)).status).toBe(204);
    expect((await remove(owner, other)).status).toBe(204);
  });
});

describe("the reads of an endpoint", () => {
  it("run in the round trip of the check, and only for a caller who passes it", async () => {
    clock.now = START;
    const deps = await service.deps();
    const { db } = deps;
    const READ = "malformed JSON"; // the error of a read that runs
    const reads = [db.run(sql`select json(${"no JSON"})`)] as const;
    const [place, elsewhere] = [await newPlace(), await newPlace()];
    const [owner, viewer] = [await place.member("owner"), await place.member("viewer")];
    const stranger = await elsewhere.member("owner");
    const ended = await place.join(await newPerson({ expires_at: START }), "owner");
    const keys = {
      sk: await newKey(place.id, "sk"),
      reader: await newKey(place.id, "sk", { capabilities: '["read"]' }),
      foreign: await newKey(elsewhere.id, "sk"),
      pk: await newKey(place.id, "pk"),
      sdk: await newKey(place.id, "sdk"),
      sender: await newKey(place.id, "sdk", { capabilities: '["send:transactional"]' }),
    };
    const [nowhere, unknown] = [
      crypto.randomUUID(),
      { kind: "bearer", key: "sk_unknown" } as const,
    ];
    const madeUp = { kind: "cookie", token: unique("token") } as const;
    const write = "subscribers:write";
    const project =
      (auth: "cookie" | "cookie_or_key", id = place.id) =>
      (by: Credential) =>
        authorizeProject(deps, by, id, { auth, capability: write, method: "POST" }, reads);
    const workspace = (by: Credential, selfId?: string) =>
      authorizeWorkspace(
        deps,
        by,
        place.workspaceId,
        { capability: "members:write", selfId },
        reads,
      );
    const session = (by: Credential) => authorizeSession(deps, by, () => reads);
    const keyed = (auth: "secret" | "public_or_secret") => (by: Credential) =>
      authorizeKey(
        deps,
        by.kind === "bearer" ? by.key : "",
        { auth, capability: write },
        () => reads,
      );
    const cases: [Credential, (by: Credential) => Promise<unknown>, string][] = [
      [owner.credential, project("cookie"), READ],
      [viewer.credential, project("cookie"), "lacks the capability"],
      [stranger.credential, project("cookie"), "no access"],
      [ended.credential, project("cookie"), "session expired"],
      [madeUp, project("cookie"), "session expired"],
      [owner.credential, project("cookie", nowhere), "project not found"],
      [keys.sk.credential, project("cookie_or_key"), READ],
      [keys.sk.credential, project("cookie"), "needs an access token"],
      [keys.reader.credential, project("cookie_or_key"), "lacks the capability"],
      [keys.foreign.credential, project("cookie_or_key"), "another project"],
      [keys.sdk.credential, project("cookie_or_key"), "needs a project key"],
      [unknown, project("cookie_or_key"), "invalid API key"],
      [owner.credential, workspace, READ],
      [viewer.credential, (by) => workspace(by, viewer.id), READ],
      [viewer.credential, (by) => workspace(by, owner.id), "lacks the capability"],
      [stranger.credential, (by) => workspace(by, stranger.id), "no access"],
      [madeUp, workspace, "session expired"],
      [owner.credential, session, READ],
      [ended.credential, session, "session expired"],
      [madeUp, session, "session expired"],
      [keys.sdk.credential, keyed("secret"), READ],
      [keys.pk.credential, keyed("public_or_secret"), READ],
      [keys.pk.credential, keyed("secret"), "needs a secret key"],
      [keys.sk.credential, keyed("public_or_secret"), "this is a project key"],
      [keys.sender.credential, keyed("public_or_secret"), "lacks the capability"],
      [unknown, keyed("secret"), "invalid API key"],
    ];
    for (const [index, [by, enter, message]] of cases.entries()) {
      service.d1.reset();
      await expect(enter(by), `case ${index}`).rejects.toThrow(message);
      const isRefused = message !== READ && service.d1.roundTrips > 0;
      expect([index, service.d1.roundTrips]).toEqual([index, isRefused ? 2 : 1]);
      expect(service.d1.rowsRead, `case ${index}`).toBeLessThan(8);
    }
  });
});
