import { describe, expect, it } from "vitest";
import { ROLES } from "../../../src/db/schema/index.ts";
import { testLicense } from "../../support/license.ts";
import { allRows, type Row } from "../../support/rows.ts";
import { createService, unique, type Answer } from "../../support/service.ts";
import { iso, SECOND, standingClock } from "../../support/times.ts";
import {
  addTo,
  auditEntry,
  auditOf,
  changeRole,
  newMember,
  newPerson,
  newWorkspace,
  overtaken,
  PASSWORD,
  RACE_ROUNDS,
  refusalOf,
  removeFrom,
  rolesIn,
  statusesOf,
  teamService,
  type Person,
} from "../../support/workspaces.ts";

const UUID = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const START = Date.UTC(2026, 9, 1, 12);

// Registers people a second before everything else, so their own workspaces are the oldest.
const clock = standingClock(START);
clock.now = START - SECOND;
const service = teamService(() => clock.now);
const owner = await newPerson(service);
const stranger = await newPerson(service);

describe("POST and GET /workspaces", () => {
  it("creates a workspace with the caller as its first owner", async () => {
    const answer = await owner.post("/workspaces", { name: " Shop team " });
    const record = {
      id: UUID,
      name: "Shop team",
      created_by: owner.id,
      created_at: iso(START),
      updated_at: iso(START),
    };
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body).toEqual({ ...record, role: "owner" });
    const id = String(answer.body["id"]);
    expect((await owner.get<{ workspaces: Row[] }>("/workspaces")).body.workspaces).toContainEqual({
      ...record,
      id,
    });
    expect(await auditOf(id)).toEqual([auditEntry(id, "workspace.create", owner, {})]);
  });

  it("lists the caller's workspaces, oldest first, regardless of the order of joining", async () => {
    const [person, other] = [await newPerson(service), await newPerson(service)];
    const ids: string[] = [];
    for (const [by, name] of [
      [other, "C"],
      [person, "B"],
      [other, "A"],
    ] as const) {
      clock.now += SECOND;
      ids.push(String((await by.post("/workspaces", { name })).body["id"]));
    }
    clock.now += SECOND;
    for (const id of ids.filter((_id, index) => index !== 1).toReversed())
      await addTo(id, other, person, "viewer");
    const { body } = await person.get<{ workspaces: Row[] }>("/workspaces");
    expect(body.workspaces.slice(1).map(({ id }) => id)).toEqual(ids);
    expect(body.workspaces[0]).toMatchObject({ name: "Olive Owner's workspace" });
  });

  it.each<[unknown]>([
    [{}],
    [{ name: " " }],
    [{ name: 7 }],
    [{ name: "x".repeat(201) }],
    [{ name: "a\nb" }],
    [[]],
  ])("answers 400 to %j", async (body) => {
    const id = await newWorkspace(owner);
    expect((await owner.post("/workspaces", body)).status).toBe(400);
    expect((await owner.request("PATCH", `/workspaces/${id}`, body)).status).toBe(400);
  });
});

describe("the lists of workspaces, their projects and members", () => {
  it("are complete, or the page given by limit and offset, in one round trip", async () => {
    const person = await newPerson(service);
    const id = await newWorkspace(person);
    for (const _ of [1, 2]) {
      clock.now += SECOND;
      await newWorkspace(person);
      await person.post("/projects", { name: "P", workspace_id: id });
      await newMember(service, id, person, "viewer");
    }
    for (const [path, count] of [
      ["/workspaces", 4], // one exists since registration
      [`/workspaces/${id}/projects`, 2],
      [`/workspaces/${id}/members`, 3],
    ] as const) {
      const list = async (query: string) => {
        service.d1.reset();
        const { body } = await person.get<Row>(path + query);
        expect(service.d1.roundTrips).toBe(1);
        return (Array.isArray(body) ? body : Object.values(body)[0]) as Row[];
      };
      const whole = await list("");
      expect(whole).toHaveLength(count);
      expect(await list("?limit=1&offset=1")).toEqual(whole.slice(1, 2));
      expect(await list("?offset=1")).toEqual(whole.slice(1));
      for (const query of ["?limit=abc", "?limit=0", "?offset=x"])
        expect((await person.get(path + query)).status).toBe(400);
    }
  });
});

describe("PATCH /workspaces/{id}", () => {
  it("renames the workspace and answers with the record", async () => {
    const id = await newWorkspace(owner);
    clock.now += SECOND;
    const answer = await owner.request("PATCH", `/workspaces/${id}`, { name: "New" });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id,
      name: "New",
      created_by: owner.id,
      created_at: iso(START),
      updated_at: iso(clock.now),
    });
    expect((await auditOf(id)).slice(1)).toEqual([
      auditEntry(id, "workspace.rename", owner, { name: "New" }),
    ]);
  });
});

describe("DELETE /workspaces/{id}", () => {
  it("answers 409 while it contains a project, then 204 and removes every membership", async () => {
    const id = await newWorkspace(owner);
    const viewer = await newMember(service, id, owner, "viewer");
    const { body } = await owner.post("/projects", { name: "P", workspace_id: id });
    expect(refusalOf(await owner.delete(`/workspaces/${id}`))).toEqual([
      409,
      "workspace still has projects",
    ]);
    expect(await rolesIn(id)).toHaveLength(2);
    expect((await auditOf(id)).map(({ action }) => action)).not.toContain("workspace.delete");
    await owner.delete(`/projects/${String(body["id"])}`);
    expect((await owner.delete(`/workspaces/${id}`)).status).toBe(204);
    expect(await rolesIn(id)).toEqual([]);
    for (const client of [owner, viewer]) {
      expect(refusalOf(await client.get(`/workspaces/${id}/members`))).toEqual([
        404,
        "workspace not found",
      ]);
      const { workspaces } = (await client.get<{ workspaces: Row[] }>("/workspaces")).body;
      expect(workspaces.map((workspace) => workspace["id"])).not.toContain(id);
    }
    expect((await auditOf(id)).at(-1)).toEqual(
      auditEntry(id, "workspace.delete", owner, { name: "Team" }),
    );
  });

  it("happens and is recorded once, even for simultaneous requests", async () => {
    const id = await newWorkspace(owner);
    const answers = await Promise.all([1, 2, 3].map(() => owner.delete(`/workspaces/${id}`)));
    expect(statusesOf(answers)).toEqual([204, 404, 404]);
    const deletions = (await auditOf(id)).filter(({ action }) => action === "workspace.delete");
    expect(deletions).toHaveLength(1);
  });

  it("excludes a concurrent creation of a project: exactly one of the two happens", async () => {
    for (let round = 0; round < RACE_ROUNDS; round++) {
      const id = await newWorkspace(owner);
      const create = () => owner.post("/projects", { name: "P", workspace_id: id });
      const drop = () => owner.delete(`/workspaces/${id}`);
      const [created, dropped] = await Promise.all([create(), drop()]);
      const left = await allRows("select id from projects where workspace_id = ?", id);
      const happened = created.status === 201;
      expect([created.status, dropped.status]).toEqual(happened ? [201, 409] : [404, 204]);
      expect([left.length, (await rolesIn(id)).length]).toEqual(happened ? [1, 1] : [0, 0]);
    }
  });

  it("leaves no membership of a member or user added at the same time", async () => {
    for (let round = 0; round < RACE_ROUNDS; round++) {
      const id = await newWorkspace(owner);
      const email = `${unique("late")}@people.test`;
      const user = { email, name: "Late", password: PASSWORD };
      const [dropped] = await Promise.all([
        owner.delete(`/workspaces/${id}`),
        addTo(id, owner, stranger),
        owner.post(`/workspaces/${id}/users`, user),
      ]);
      expect(dropped.status).toBe(204);
      expect(await rolesIn(id)).toEqual([]);
    }
  });

  it("leaves nothing of a user whose workspace is deleted while the password is hashed", async () => {
    const id = await newWorkspace(owner);
    const email = `${unique("late")}@people.test`;
    const user = { email, name: unique("Late"), password: PASSWORD };
    const answer = await overtaken(service, owner, ["POST", `/workspaces/${id}/users`, user], () =>
      owner.delete(`/workspaces/${id}`),
    );
    expect(answer.status).toBe(403);
    expect(await allRows("select id from users where email = ?", email)).toEqual([]);
    const own = `${user.name}'s workspace`;
    expect(await allRows("select id from workspaces where name = ?", own)).toEqual([]);
    expect(await rolesIn(id)).toEqual([]);
  });
});

describe("the workspace of a new project", () => {
  const create = (by: Person, workspace_id?: string) =>
    by.post("/projects", { name: "P", workspace_id });

  it("is by default the oldest one in which the caller may create one", async () => {
    const [first, second, third] = [
      await newWorkspace(owner),
      await newWorkspace(owner),
      await newWorkspace(owner),
    ];
    const person = await newPerson(service);
    await allRows("delete from workspace_members where user_id = ?", person.id);
    for (const [id, role] of [
      [first, "developer"],
      [second, "admin"],
      [third, "owner"],
    ] as const) {
      clock.now += SECOND;
      expect((await addTo(id, owner, person, role)).status).toBe(201);
    }
    expect(await create(person)).toMatchObject({ status: 201, body: { workspace_id: second } });
    expect(refusalOf(await create(person, first))).toEqual([
      403,
      "your role (developer) lacks the capability projects:write",
    ]);
    expect((await removeFrom(second, owner, person)).status).toBe(204);
    expect(await create(person)).toMatchObject({ status: 201, body: { workspace_id: third } });
    expect((await changeRole(third, owner, person, "viewer")).status).toBe(204);
    expect(refusalOf(await create(person))).toEqual([
      403,
      "your role (developer) lacks the capability projects:write",
    ]);
  });

  it("is never one in which the caller loses the role during the request", async () => {
    const id = await newWorkspace(owner);
    const admin = await newMember(service, id, owner, "admin");
    const demote = () => changeRole(id, owner, admin, "viewer");
    const request: [string, string, unknown] = [
      "POST",
      "/projects",
      { name: "Late", workspace_id: id },
    ];
    const answer = await overtaken(service, admin, request, demote, 2);
    expect(refusalOf(answer)).toEqual([404, "workspace not found"]);
    expect(await allRows("select id from projects where workspace_id = ?", id)).toEqual([]);
  });
});

describe("GET /workspaces/{id}/projects", () => {
  it("lists the workspace's projects for each of its roles, oldest first, like GET /projects", async () => {
    const id = await newWorkspace(owner);
    const admin = await newMember(service, id, owner, "admin");
    const made = [];
    for (const by of [admin, owner]) {
      clock.now += SECOND;
      made.push((await by.post("/projects", { name: "P", workspace_id: id })).body);
    }
    await owner.newProject(); // in another workspace
    for (const role of ROLES) {
      const member = await newMember(service, id, owner, role);
      const { status, body } = await member.get(`/workspaces/${id}/projects`);
      expect([status, body]).toEqual([200, made]);
    }
    expect((await admin.get("/projects")).body).toEqual([made[0]]);
  });
});

describe("POST /workspaces/{id}/users", () => {
  const newUser = (change: Row = {}) => ({
    email: `${unique("user")}@people.test`,
    name: "Nina New",
    password: PASSWORD,
    ...change,
  });
  const logIn = (email: unknown, password: unknown) =>
    service.anonymous.post("/auth/login", { email, password });

  it("creates an account that can log in, is a member, and has its own workspace", async () => {
    const id = await newWorkspace(owner);
    const user = newUser({ role: "developer" });
    const sent = { ...user, email: ` ${user.email.toUpperCase()}` };
    const answer = await owner.post(`/workspaces/${id}/users`, sent);
    expect([answer.status, answer.body]).toEqual([
      201,
      { user_id: UUID, email: user.email, name: "Nina New", role: "developer" },
    ]);
    expect(answer.headers.get("Set-Cookie")).toBeNull();
    const login = await logIn(user.email, PASSWORD);
    const Cookie = login.headers.get("Set-Cookie")?.split(";")[0] ?? "";
    const me = await service.anonymous.request("GET", "/auth/me", undefined, { Cookie });
    expect(me.body["workspaces"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id, role: "developer" }),
        expect.objectContaining({ name: "Nina New's workspace", role: "owner" }),
      ]),
    );
    const [, created] = await auditOf(id);
    expect(created).toEqual(
      auditEntry(id, "workspace.user_created", owner, {
        user_id: answer.body["user_id"],
        role: "developer",
      }),
    );
  });

  it("assigns the role member by default and stores the password only as a hash", async () => {
    const id = await newWorkspace(owner);
    const user = newUser({ password: "canary of a password" });
    const { body } = await owner.post(`/workspaces/${id}/users`, user);
    expect(body["role"]).toBe("member");
    const stored = [
      await allRows("select * from users where email = ?", user.email),
      await allRows("select * from audit_entries where scope_id = ?", id),
    ];
    expect(JSON.stringify(stored)).toContain("scrypt$16384$8$1$");
    expect(JSON.stringify(stored)).not.toContain("canary");
  });

  it("answers 409 to an email that has an account, and changes nothing", async () => {
    const id = await newWorkspace(owner);
    const email = stranger.email.toUpperCase();
    expect(refusalOf(await owner.post(`/workspaces/${id}/users`, newUser({ email })))).toEqual([
      409,
      "email already registered",
    ]);
    expect(await rolesIn(id)).toEqual(["owner"]);
    expect((await logIn(stranger.email, PASSWORD)).status).toBe(200);
  });

  it("creates one account from four simultaneous requests with one email", async () => {
    const id = await newWorkspace(owner);
    const user = newUser({ name: unique("Twin") });
    const users = Array.from({ length: 4 }, (_, n) => ({ ...user, password: `password ${n}` }));
    const answers = await Promise.all(
      users.map((body) => owner.post(`/workspaces/${id}/users`, body)),
    );
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
    expect(await rolesIn(id)).toEqual(["member", "owner"]);
    const own = `${user.name}'s workspace`;
    expect(await allRows("select id from workspaces where name = ?", own)).toHaveLength(1);
    const logins = await Promise.all(users.map(({ password }) => logIn(user.email, password)));
    expect(statusesOf(logins)).toEqual([200, 401, 401, 401]);
  });

  it.each([
    ["email", undefined],
    ["email", "nina"],
    ["name", undefined],
    ["name", " "],
    ["password", undefined],
    ["password", "1234567"],
    ["password", "x".repeat(1_001)],
    ["role", "root"],
  ])("answers 400 and names %s for %j", async (field, value) => {
    const id = await newWorkspace(owner);
    const answer = await owner.post(`/workspaces/${id}/users`, newUser({ [field]: value }));
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(`^${field}: `) },
    });
  });
});

describe("GET /workspaces/{id}/audit-log", () => {
  it("shows owners and admins the workspace's entries, newest first, like a project's", async () => {
    const id = await newWorkspace(owner);
    const path = `/workspaces/${id}/audit-log`;
    clock.now += SECOND;
    const admin = await newMember(service, id, owner, "admin");
    clock.now += SECOND;
    const { body } = await admin.post("/projects", { name: "P", workspace_id: id });
    await admin.delete(`/projects/${String(body["id"])}`);
    const answer = await admin.get<{ entries: Row[]; total: number }>(path);
    expect([answer.status, answer.body.total]).toEqual([200, 3]);
    expect(answer.body.entries.map(({ action, user_id }) => [action, user_id])).toEqual([
      ["project.delete", admin.id],
      ["workspace.member_added", owner.id],
      ["workspace.create", owner.id],
    ]);
    const filter = `?action=workspace.create&from=${iso(START)}&to=${iso(START + SECOND)}&limit=1`;
    expect((await owner.get(path + filter)).body).toMatchObject({
      total: 1,
      entries: [{ target_type: "workspace", target_id: id, created_at: iso(START) }],
    });
    expect((await owner.get(`${path}?limit=0`)).status).toBe(400);
  });
});

describe("without a team license", () => {
  it.each(["no", "a pro"])(
    "member routes answer 402 with %s license, and everything else works",
    async (tier) => {
      const license = tier === "no" ? {} : await testLicense("pro");
      const settings = { ...license, DEPLOYMENT_MODE: "self_hosted" };
      const plain = createService(settings, service.runtime);
      const person = await newPerson(plain);
      const id = await newWorkspace(person);
      const refusals = await Promise.all([
        addTo(id, person, stranger),
        changeRole(id, person, stranger, "admin"),
        person.post(`/workspaces/${id}/users`, {}),
      ]);
      for (const answer of refusals)
        expect(refusalOf(answer)).toEqual([402, "license required for workspace members"]);
      const path = `/workspaces/${id}`;
      for (const rest of ["/members", "/projects"])
        expect((await person.get(path + rest)).status).toBe(200);
      expect((await person.request("PATCH", path, { name: "Still" })).status).toBe(200);
      // because of the last owner, not the licence
      expect((await removeFrom(id, person, person)).status).toBe(409);
      expect((await person.delete(path)).status).toBe(204);
    },
  );
});

describe("the cost of a request", () => {
  const trips = async (ask: () => Promise<Answer>, status: number) => {
    service.d1.reset();
    expect((await ask()).status).toBe(status);
    return service.d1.roundTrips;
  };

  it("is one round trip for a read, which writes nothing", async () => {
    const id = await newWorkspace(owner);
    for (const path of ["/workspaces", `/workspaces/${id}/projects`, `/workspaces/${id}/members`]) {
      expect(await trips(() => owner.get(path), 200)).toBe(1);
      expect(service.d1.rowsWritten).toBe(0);
    }
  });

  it("is two round trips for the audit log", async () => {
    const id = await newWorkspace(owner);
    expect(await trips(() => owner.get(`/workspaces/${id}/audit-log`), 200)).toBe(2);
  });

  it("is two round trips for a write", async () => {
    const id = await newWorkspace(owner);
    const path = `/workspaces/${id}`;
    const user = { email: `${unique("cost")}@people.test`, name: "C", password: PASSWORD };
    const writes: [() => Promise<Answer>, number][] = [
      [() => owner.post("/workspaces", { name: "W" }), 201],
      [() => owner.request("PATCH", path, { name: "W" }), 200],
      [() => addTo(id, owner, stranger), 201],
      [() => owner.post(`${path}/users`, user), 201],
      [() => changeRole(id, owner, stranger, "admin"), 204],
      [() => removeFrom(id, owner, stranger), 204],
      [() => owner.delete(path), 204],
    ];
    for (const [write, status] of writes) expect(await trips(write, status)).toBe(2);
  });

  it("is no row for an unchanged role", async () => {
    const id = await newWorkspace(owner);
    const member = await newMember(service, id, owner, "viewer");
    service.d1.reset();
    await changeRole(id, owner, member, "viewer");
    expect(service.d1.rowsWritten).toBe(0);
  });
});
