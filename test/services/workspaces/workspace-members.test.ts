import { describe, expect, it } from "vitest";
import { ROLES } from "../../../src/db/schema/index.ts";
import { allRows, type Row } from "../../support/rows.ts";
import { unique, type Answer } from "../../support/service.ts";
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

const START = Date.UTC(2026, 9, 1, 12);

const clock = standingClock(START);
const service = teamService(() => clock.now);
const owner = await newPerson(service);
const stranger = await newPerson(service);

describe("POST and GET /workspaces/{id}/members", () => {
  it("adds an account, with the role member by default, and lists it", async () => {
    const id = await newWorkspace(owner);
    const path = `/workspaces/${id}/members`;
    const people = [await newPerson(service), await newPerson(service)];
    const bodies = [
      { email: ` ${people[0]?.email.toUpperCase()} ` },
      { email: people[1]?.email, role: "viewer" },
    ];
    const listed: Row[] = [];
    for (const [index, body] of bodies.entries()) {
      clock.now += SECOND;
      const answer = await owner.post(path, body);
      const record = {
        user_id: people[index]?.id,
        email: people[index]?.email,
        name: "Olive Owner",
        role: index === 0 ? "member" : "viewer",
        joined_at: iso(clock.now),
        created_by: null,
      };
      expect([answer.status, answer.body]).toEqual([201, record]);
      listed.push(record);
    }
    const { body } = await (people[1] ?? owner).get<{ members: Row[] }>(path);
    expect(body).toEqual({
      members: [expect.objectContaining({ role: "owner", email: owner.email }), ...listed],
    });
    expect((await auditOf(id)).slice(1)).toEqual(
      listed.map(({ user_id, role }) =>
        auditEntry(id, "workspace.member_added", owner, { user_id, role }),
      ),
    );
  });

  it("changes the role of a member and responds in the same format, with the join date", async () => {
    const id = await newWorkspace(owner);
    const member = await newMember(service, id, owner, "viewer");
    clock.now += SECOND;
    const { email } = member;
    for (let times = 0; times < 2; times++) {
      const answer = await addTo(id, owner, member, "admin");
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          user_id: member.id,
          email,
          name: "Olive Owner",
          role: "admin",
          joined_at: iso(START),
          created_by: null,
        },
      ]);
    }
    expect(await rolesIn(id)).toEqual(["admin", "owner"]);
    expect((await auditOf(id)).slice(2)).toEqual([
      auditEntry(id, "workspace.member_role_changed", owner, {
        user_id: member.id,
        role: "admin",
        previous_role: "viewer",
      }),
    ]);
  });

  it("adds a user once despite many simultaneous requests", async () => {
    const id = await newWorkspace(owner);
    const person = await newPerson(service);
    const answers = await Promise.all([1, 2, 3].map(() => addTo(id, owner, person)));
    expect(statusesOf(answers)).toEqual([201, 201, 201]);
    expect(await rolesIn(id)).toHaveLength(2);
    expect((await auditOf(id)).slice(1)).toHaveLength(1);
  });

  it("answers 404 when no account has that email, and creates none", async () => {
    const id = await newWorkspace(owner);
    const email = `${unique("nobody")}@people.test`;
    expect(refusalOf(await owner.post(`/workspaces/${id}/members`, { email }))).toEqual([
      404,
      "user not found",
    ]);
    expect(await allRows("select id from users where email = ?", email)).toEqual([]);
  });

  it.each([
    ["an unknown role", { role: "root" }],
    ["a role in another case", { role: "Owner" }],
    ["no email", { email: undefined }],
    ["an invalid email", { email: "olive" }],
  ])("answers 400 to %s", async (_name, change) => {
    const id = await newWorkspace(owner);
    const { email } = stranger;
    const answer = await owner.post(`/workspaces/${id}/members`, { email, ...change });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^\w+: /) } });
    expect(await rolesIn(id)).toEqual(["owner"]);
  });
});

describe("PATCH /workspaces/{id}/members/{userId}", () => {
  it("changes the role, for existing sessions as well, and records it once", async () => {
    const id = await newWorkspace(owner);
    const member = await newMember(service, id, owner, "viewer");
    const create = () => member.post("/projects", { name: "P", workspace_id: id });
    expect((await create()).status).toBe(403);
    for (let times = 0; times < 2; times++)
      expect((await changeRole(id, owner, member, "admin")).status).toBe(204);
    expect((await create()).status).toBe(201);
    expect((await auditOf(id)).slice(2)).toEqual([
      auditEntry(id, "workspace.member_role_changed", owner, {
        user_id: member.id,
        role: "admin",
        previous_role: "viewer",
      }),
    ]);
  });

  it("answers 404 to a user who is not a member, and 400 to an unknown role", async () => {
    const id = await newWorkspace(owner);
    for (const userId of [stranger.id, crypto.randomUUID()])
      expect(refusalOf(await changeRole(id, owner, { id: userId }, "admin"))).toEqual([
        404,
        "member not found",
      ]);
    for (const role of [undefined, null, "root", "OWNER", ["owner"]])
      expect((await changeRole(id, owner, owner, role)).status).toBe(400);
  });
});

describe("the last owner", () => {
  it("can be neither removed nor given another role, and the response explains it", async () => {
    const id = await newWorkspace(owner);
    await newMember(service, id, owner, "admin");
    const tries = [
      () => removeFrom(id, owner, owner),
      () => changeRole(id, owner, owner, "admin"),
      () => addTo(id, owner, owner, "viewer"),
    ];
    for (const attempt of tries)
      expect(refusalOf(await attempt())).toEqual([409, "cannot remove the last owner"]);
    expect((await changeRole(id, owner, owner, "owner")).status).toBe(204);
    expect(await rolesIn(id)).toEqual(["admin", "owner"]);
    expect(await auditOf(id)).toHaveLength(2); // the creation and the new admin
  });

  it("can leave as soon as there is another owner", async () => {
    const id = await newWorkspace(owner);
    const second = await newMember(service, id, owner, "owner");
    expect((await changeRole(id, owner, owner, "viewer")).status).toBe(204);
    expect((await removeFrom(id, owner, owner)).status).toBe(204);
    expect(refusalOf(await removeFrom(id, second, second))).toEqual([
      409,
      "cannot remove the last owner",
    ]);
  });

  type Act = (id: string, by: Person, whom: Person) => Promise<Answer>;
  const removeOther: Act = (id, by, whom) => removeFrom(id, by, whom);
  const demoteOther: Act = (id, by, whom) => changeRole(id, by, whom, "viewer");
  const addAgain: Act = (id, by, whom) => addTo(id, by, whom, "viewer");
  const leave: Act = (id, by) => removeFrom(id, by, by);
  const stepDown: Act = (id, by) => changeRole(id, by, by, "admin");

  it.each([
    ["remove each other", removeOther, removeOther],
    ["give each other another role", demoteOther, demoteOther],
    ["do so by adding each other again", addAgain, addAgain],
    ["both leave", leave, leave],
    ["step down and are removed", stepDown, removeOther],
    ["step down and leave", stepDown, leave],
  ])("remains when two owners %s at the same time", async (_name, first, second) => {
    const [a, b] = [await newPerson(service), await newPerson(service)];
    for (let round = 0; round < RACE_ROUNDS; round++) {
      const id = await newWorkspace(a);
      await addTo(id, a, b, "owner");
      const before = (await auditOf(id)).length;
      const answers = await Promise.all([first(id, a, b), second(id, b, a)]);
      const done = answers.filter(({ status }) => status < 300).length;
      for (const { status } of answers) expect([201, 204, 403, 404, 409]).toContain(status);
      expect(done).toBeGreaterThan(0);
      expect((await rolesIn(id)).filter((role) => role === "owner")).toHaveLength(1);
      expect((await auditOf(id)).length - before).toBe(done);
    }
  });

  it("is determined at that time: of three owners, a removed one removes no one", async () => {
    for (let round = 0; round < RACE_ROUNDS; round++) {
      const id = await newWorkspace(owner);
      const a = await newMember(service, id, owner, "owner");
      const b = await newMember(service, id, owner, "owner");
      const answers = await Promise.all([removeFrom(id, a, b), removeFrom(id, b, a)]);
      expect(statusesOf(answers)).toEqual([204, 403]);
      expect(await rolesIn(id)).toEqual(["owner", "owner"]);
    }
  });
});

describe("a removed member", () => {
  it("loses access to every project of the workspace with the next request; its projects stay", async () => {
    const id = await newWorkspace(owner);
    const admin = await newMember(service, id, owner, "admin");
    const { body: project } = await admin.post("/projects", { name: "Kept", workspace_id: id });
    const paths = [`/projects/${String(project["id"])}`, `/workspaces/${id}/members`];
    for (const path of paths) expect((await admin.get(path)).status).toBe(200);
    expect((await removeFrom(id, owner, admin)).status).toBe(204);
    for (const path of paths) expect((await admin.get(path)).status).toBe(403);
    expect((await admin.get("/projects")).body).toEqual([]);
    expect((await owner.get(`/workspaces/${id}/projects`)).body).toEqual([project]);
    expect((await owner.put(paths[0] ?? "", { name: "Renamed" })).status).toBe(200);
    expect((await auditOf(id)).at(-1)).toEqual(
      auditEntry(id, "workspace.member_removed", owner, { user_id: admin.id, role: "admin" }),
    );
  });

  it.each([...ROLES])(
    "can leave on their own as %s, and returns only when added again",
    async (role) => {
      const id = await newWorkspace(owner);
      const member = await newMember(service, id, owner, role);
      expect((await removeFrom(id, member, member)).status).toBe(204);
      expect((await removeFrom(id, member, member)).status).toBe(403);
      expect((await member.get(`/workspaces/${id}/members`)).status).toBe(403);
      expect((await auditOf(id)).at(-1)).toEqual(
        auditEntry(id, "workspace.member_removed", member, { user_id: member.id, role }),
      );
      await addTo(id, owner, member, "viewer");
      expect((await member.get(`/workspaces/${id}/members`)).status).toBe(200);
    },
  );

  it("is removed only by an owner or by themselves, and is 404 unless they are a member", async () => {
    const id = await newWorkspace(owner);
    const victim = await newMember(service, id, owner, "viewer");
    for (const role of ["admin", "developer", "member", "viewer"]) {
      const member = await newMember(service, id, owner, role);
      expect((await removeFrom(id, member, victim)).status).toBe(403);
    }
    expect((await removeFrom(id, owner, victim)).status).toBe(204);
    for (const userId of [victim.id, crypto.randomUUID()])
      expect(refusalOf(await removeFrom(id, owner, { id: userId }))).toEqual([
        404,
        "member not found",
      ]);
  });

  it("can still log in without any workspace, and create one", async () => {
    const person = await newPerson(service);
    const { body } = await person.get<{ workspaces: { id: string }[] }>("/workspaces");
    const own = body.workspaces[0]?.id ?? "";
    await addTo(own, person, owner, "owner");
    expect((await removeFrom(own, person, person)).status).toBe(204);
    const login = { email: person.email, password: PASSWORD };
    expect((await service.anonymous.post("/auth/login", login)).status).toBe(200);
    expect((await person.get("/workspaces")).body).toEqual({ workspaces: [] });
    expect((await person.get("/auth/me")).body).toMatchObject({ workspaces: [] });
    expect((await person.post("/projects", { name: "P" })).status).toBe(403);
    const id = await newWorkspace(person);
    expect((await person.get(`/workspaces/${id}/members`)).status).toBe(200);
    expect((await person.post("/projects", { name: "P" })).status).toBe(201);
  });

  const newUser = () => ({ email: `${unique("x")}@people.test`, name: "X", password: PASSWORD });
  type Ask = (id: string, other: Person) => [method: string, path: string, body?: unknown];
  it.each<[string, Ask, number?]>([
    ["adding a person", (id) => ["POST", `/workspaces/${id}/members`, { email: stranger.email }]],
    ["removing a person", (id, { id: other }) => ["DELETE", `/workspaces/${id}/members/${other}`]],
    [
      "changing a role",
      (id, { id: other }) => ["PATCH", `/workspaces/${id}/members/${other}`, { role: "admin" }],
    ],
    ["creating a user", (id) => ["POST", `/workspaces/${id}/users`, newUser()]],
    ["renaming the workspace", (id) => ["PATCH", `/workspaces/${id}`, { name: "Mine" }]],
    ["deleting the workspace", (id) => ["DELETE", `/workspaces/${id}`]],
    ["making a project", (id) => ["POST", "/projects", { name: "P", workspace_id: id }], 2],
  ])(
    "is rejected %s if the removal falls between the check and the write",
    async (_name, ask, trips) => {
      const id = await newWorkspace(owner);
      const second = await newMember(service, id, owner, "owner");
      const other = await newMember(service, id, owner, "viewer");
      const removal = () => removeFrom(id, owner, second);
      const answer = await overtaken(service, second, ask(id, other), removal, trips);
      expect(answer.status).toBe(trips === 2 ? 404 : 403); // 404 for a project, 403 for a workspace
      expect(await rolesIn(id)).toEqual(["owner", "viewer"]);
      expect(await allRows("select name from workspaces where id = ?", id)).toEqual([
        { name: "Team" },
      ]);
      expect(await allRows("select id from projects where workspace_id = ?", id)).toEqual([]);
      expect((await auditOf(id)).map(({ action }) => action)).toEqual([
        "workspace.create",
        "workspace.member_added",
        "workspace.member_added",
        "workspace.member_removed",
      ]);
    },
  );
});
