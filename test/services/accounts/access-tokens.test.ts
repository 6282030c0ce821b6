/* Personal access tokens: what they reach, how they end, and what they cost (API reference §2.4). */
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/lib/hash.ts";
import { testLicense } from "../../support/license.ts";
import { PASSWORD } from "../../support/new-account.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { createService, unique, type Client } from "../../support/service.ts";
import { DAY, HOUR, standingClock } from "../../support/times.ts";
import { addTo, newPerson, newWorkspace, refusalOf, selfHosted } from "../../support/workspaces.ts";

const START = Date.UTC(2026, 9, 1);
const clock = standingClock(START);
const service = createService(await testLicense("team"), { now: () => clock.now });
const iso = (at: number) => new Date(at).toISOString();

const OVER = [401, "invalid access token: it is unknown, expired or ended"];
const BEYOND = [403, "this access token reaches only the projects that it was created for"];

interface Made {
  id: string;
  token: string;
}

/** Creates an access token of a person, and a client with it. */
async function newToken(by: Client, body: object = {}): Promise<Client & Made> {
  const made = await by.post<Made & Record<string, unknown>>("/auth/tokens", {
    name: "CI",
    ...body,
  });
  expect(made.status).toBe(201);
  return Object.assign(service.withKey(made.body.token), made.body);
}

const tokensOf = async (person: Client) =>
  (await person.get<{ tokens: Record<string, unknown>[] }>("/auth/tokens")).body.tokens;

describe("an access token", () => {
  it("is shown once, listed without its text, and stored as a hash", async () => {
    clock.now = START;
    const owner = await service.newOwner();
    const { id: project } = await owner.newProject();
    const input = { name: "CI", expires_at: iso(START + DAY), project_ids: [project] };
    const { status, body } = await owner.post("/auth/tokens", input);
    const { token, ...listed } = body;
    expect([status, token]).toEqual([201, expect.stringMatching(/^pat_[0-9A-Za-z]{43}$/)]);
    expect(listed).toEqual({
      ...input,
      id: expect.any(String),
      created_at: iso(START),
      last_used_at: null,
    });
    clock.now += 1;
    const { id } = await newToken(owner);
    expect(await tokensOf(owner)).toEqual([
      { ...listed, id, project_ids: null, expires_at: null, created_at: iso(START + 1) },
      listed,
    ]);
    const rows = await allRows("select token_hash from sessions where id = ?", listed["id"]);
    expect(rows).toEqual([{ token_hash: sha256Hex(String(token)) }]);
  });

  it("acts as its person, also with an Origin of another site", async () => {
    const owner = await newPerson(service);
    const { id } = await owner.newProject();
    const token = await newToken(owner);
    expect(await token.get("/auth/me")).toMatchObject({
      status: 200,
      body: { user: { id: owner.id } },
    });
    const template = { name: unique("t"), subject: "Hi", html_body: "x" };
    const foreign = { Origin: "https://ci.test", "Sec-Fetch-Site": "cross-site" };
    expect((await token.post(`/projects/${id}/templates`, template, foreign)).status).toBe(201);
    expect((await token.get(`/projects/${id}/logs`)).status).toBe(200);
    expect((await token.get(`/projects/${id}/broadcasts`)).status).toBe(200);
    expect((await token.get(`/projects/${id}/audit-log`)).status).toBe(200);
    expect((await token.get("/workspaces")).status).toBe(200);
    const unlicensed = createService({}, { now: () => clock.now }).withKey(token.token);
    expect((await unlicensed.get(`/projects/${id}/audit-log`)).status).toBe(402);
  });

  it("has the role of today, and loses access with its person", async () => {
    const [owner, member] = [await newPerson(service), await newPerson(service)];
    const workspace = await newWorkspace(owner);
    const { body } = await owner.post("/projects", { name: "P", workspace_id: workspace });
    const path = `/projects/${String(body["id"])}`;
    await addTo(workspace, selfHosted(service, owner), member, "admin");
    const token = await newToken(member, { project_ids: [body["id"]] });
    const rename = () => token.put(path, { name: unique("P") });
    expect((await rename()).status).toBe(200);
    const at = `/workspaces/${workspace}/members/${member.id}`;
    await owner.request("PATCH", at, { role: "viewer" });
    expect(refusalOf(await rename())).toEqual([
      403,
      "your role (viewer) lacks the capability projects:write",
    ]);
    await owner.delete(at);
    expect(refusalOf(await token.get(path))).toEqual([403, "you have no access to this project"]);
  });

  it.each([
    ["POST", "/auth/password"],
    ["POST", "/auth/device/answer"],
    ["POST", "/auth/confirm/resend"],
    ["GET", "/auth/sessions"],
    ["DELETE", `/auth/sessions/${crypto.randomUUID()}`],
    ["GET", "/auth/tokens"],
    ["POST", "/auth/tokens"],
    ["DELETE", `/auth/tokens/${crypto.randomUUID()}`],
  ])("is 401 where only a session counts: %s %s", async (method, path) => {
    const token = await newToken(await service.newOwner());
    const answer = await token.request(method, path, method === "POST" ? {} : undefined);
    const error = "this is an access token (pat_): this endpoint needs a login session";
    expect(refusalOf(answer)).toEqual([401, error]);
  });

  it("is 401 in the key-based API, and no cookie of a session", async () => {
    const { token, get } = await newToken(await service.newOwner());
    const error = "this is an access token (pat_): this endpoint needs a secret key (sdk_)";
    expect(refusalOf(await get("/subscribers"))).toEqual([401, error]);
    const headers = { Cookie: `__Host-session=${token}` };
    const asCookie = await service.anonymous.request("GET", "/auth/sessions", undefined, headers);
    expect(asCookie.status).toBe(401);
  });

  it("for single projects reaches them and nothing else", async () => {
    const owner = await service.newOwner();
    const [one, other] = [await owner.newProject(), await owner.newProject()];
    const token = await newToken(owner, { project_ids: [one.id, one.id.toUpperCase()] });
    expect((await token.get(`/projects/${one.id}/logs`)).status).toBe(200);
    const { body } = await owner.get<{ workspaces: { id: string }[] }>("/auth/me");
    const workspace = `/workspaces/${body.workspaces[0]?.id}`;
    for (const path of [
      `/projects/${other.id}/logs`,
      `/projects/${other.id}/broadcasts`,
      `${workspace}/projects`,
      "/workspaces",
      "/auth/audit-log",
    ])
      expect([path, ...refusalOf(await token.get(path))]).toEqual([path, ...BEYOND]);
    expect(refusalOf(await token.post("/projects", { name: "P" }))).toEqual(BEYOND);
    expect(refusalOf(await token.get(`/projects/${crypto.randomUUID()}`))[0]).toBe(404);
    expect((await token.get("/auth/me")).status).toBe(200);
    for (const scope of ["own", "all"]) {
      const { body: listed } = await token.get<unknown[]>(`/projects?scope=${scope}`);
      expect(listed).toEqual([expect.objectContaining({ id: one.id })]);
    }
  });

  it("can be created only for projects that the person sees, and for the future", async () => {
    const [owner, other] = [await service.newOwner(), await service.newOwner()];
    const [own, foreign] = [await owner.newProject(), await other.newProject()];
    const create = async (body: object) =>
      refusalOf(await owner.post("/auth/tokens", { name: "CI", ...body }));
    expect(await create({ project_ids: [own.id, foreign.id] })).toEqual([404, "project not found"]);
    expect(await create({ project_ids: [] })).toEqual([
      400,
      "project_ids: must have at least 1 entries",
    ]);
    const past = { expires_at: iso(clock.now) };
    expect(await create(past)).toEqual([400, "expires_at: must be in the future"]);
    expect(await tokensOf(owner)).toEqual([]);
  });

  it("gets the same answer whether it is unknown, expired or ended", async () => {
    clock.now = START;
    const owner = await service.newOwner();
    const { id: projectId } = await owner.newProject();
    const expiring = await newToken(owner, { expires_at: iso(START + HOUR) });
    const ended = await newToken(owner);
    expect((await owner.delete(`/auth/tokens/${ended.id}`)).status).toBe(204);
    expect((await owner.delete(`/auth/tokens/${ended.id}`)).status).toBe(404);
    clock.now = START + HOUR - 1;
    expect((await expiring.get("/auth/me")).status).toBe(200);
    clock.now = START + HOUR;
    for (const token of [expiring, ended, service.withKey(`pat_${"0".repeat(43)}`)])
      for (const path of ["/auth/me", `/projects/${projectId}`, `/projects/${projectId}/logs`])
        expect(refusalOf(await token.get(path))).toEqual(OVER);
    expect(await tokensOf(owner)).toEqual([]);
    clock.now = START;
  });

  it("is no session: it is in no list of them, and their calls do not end it", async () => {
    const owner = await newPerson(service);
    const token = await newToken(owner);
    const { body } = await owner.get<{ sessions: unknown[] }>("/auth/sessions");
    expect(body.sessions).toHaveLength(1);
    expect((await owner.delete(`/auth/sessions/${token.id}`)).status).toBe(404);
    const [session] = await allRows(
      "select id from sessions where user_id = ? and name is null",
      owner.id,
    );
    expect((await owner.delete(`/auth/tokens/${String(session?.["id"])}`)).status).toBe(404);
    expect((await owner.get("/auth/me")).status).toBe(200);
    expect((await token.get("/auth/me")).status).toBe(200);
  });

  it("outlives a change of the password, but not a reset", async () => {
    const owner = await newPerson(service);
    const token = await newToken(owner);
    const change = { current_password: PASSWORD, new_password: "a longer horse battery" };
    expect((await owner.post("/auth/password", change)).status).toBe(204);
    expect((await token.get("/auth/me")).status).toBe(200);
    const link = sha256Hex(unique("link")).slice(0, 43);
    await insertRow("mailed_tokens", {
      token_hash: sha256Hex(link),
      kind: "reset",
      subject_id: owner.id,
      created_at: clock.now,
      expires_at: clock.now + HOUR,
    });
    const reset = { token: link, password: "another horse battery" };
    expect((await service.anonymous.post("/auth/reset", reset)).status).toBe(204);
    expect(refusalOf(await token.get("/auth/me"))).toEqual(OVER);
  });

  it("is one of at most 50 of its person", async () => {
    const owner = await newPerson(service);
    const [first] = [await newToken(owner)];
    const { token_hash: _, ...row } = (
      await allRows("select * from sessions where id = ?", first.id)
    )[0] ?? { token_hash: "" };
    for (let more = 1; more < 50; more++) {
      const id = crypto.randomUUID();
      await insertRow("sessions", { ...row, id, token_hash: sha256Hex(id) });
    }
    const refused = await owner.post("/auth/tokens", { name: "CI" });
    expect(refusalOf(refused)).toEqual([409, "you have 50 access tokens: end one first"]);
    expect(await tokensOf(owner)).toHaveLength(50);
    await owner.delete(`/auth/tokens/${first.id}`);
    await newToken(owner);
  });
});

describe("the audit log", () => {
  it("names the person and the access token that acted, and its beginning and end", async () => {
    const owner = await newPerson(service);
    const project = await owner.newProject();
    const token = await newToken(owner, { name: "Deploy", project_ids: [project.id] });
    await token.post(`/projects/${project.id}/suppressions`, { emails: ["a@any.test"] });
    clock.now += 1; // entries of one millisecond are in no order
    await owner.post(`/projects/${project.id}/suppressions`, { emails: ["b@any.test"] });
    await owner.delete(`/auth/tokens/${token.id}`);
    const entriesOf = async (path: string) => {
      const { body } = await owner.get<{ entries: Record<string, unknown>[] }>(path);
      return body.entries.map(({ action, user_id, target_id, metadata }) =>
        // of the person's own entries, the target is the token
        [action, user_id, path.startsWith("/auth") ? target_id : "", metadata],
      );
    };
    const added = { added: 1, reason: "manual" };
    expect(await entriesOf(`/projects/${project.id}/audit-log?action=suppression.add`)).toEqual([
      ["suppression.add", owner.id, "", added],
      ["suppression.add", owner.id, "", { ...added, access_token: "Deploy" }],
    ]);
    const name = "Deploy";
    expect((await entriesOf("/auth/audit-log")).slice(0, 2)).toEqual([
      ["user.token_ended", owner.id, token.id, { name }],
      ["user.token_created", owner.id, token.id, { name, project_ids: [project.id] }],
    ]);
  });
});

describe("the cost of an access token", () => {
  it("is that of a session: the same round trips and rows, and one write an hour", async () => {
    clock.now = START;
    const owner = await service.newOwner();
    const { id } = await owner.newProject();
    const token = await newToken(owner, { project_ids: [id] });
    await token.get("/auth/me");
    const costOf = async (client: Client, path: string) => {
      service.d1.reset();
      expect((await client.get(path)).status).toBe(200);
      const { roundTrips, rowsRead, rowsWritten } = service.d1;
      return { roundTrips, rowsRead, rowsWritten };
    };
    for (const path of ["/auth/me", `/projects/${id}`, `/projects/${id}/templates`])
      expect([path, await costOf(token, path)]).toEqual([path, await costOf(owner, path)]);
    clock.now = START + HOUR;
    expect((await costOf(token, "/auth/me")).rowsWritten).toBe(0);
    clock.now += 1;
    expect((await costOf(token, "/auth/me")).rowsWritten).toBeGreaterThan(0);
    expect(await tokensOf(owner)).toMatchObject([{ last_used_at: iso(START + HOUR + 1) }]);
    clock.now = START;
  });
});
