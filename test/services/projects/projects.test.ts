import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { systemContext } from "../../../src/context.ts";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { removeOldImages } from "../../../src/services/images/index.ts";
import { continuePurges } from "../../../src/services/project-removal/index.ts";
import { saveSmtpSettings, selectProject } from "../../../src/services/projects/index.ts";
import { ports } from "../../support/ports.ts";
import { allRows, type Row } from "../../support/rows.ts";
import {
  CAPTURING,
  createService,
  unique,
  type Answer,
  type Client,
} from "../../support/service.ts";
import { EVERY_MINUTE, iso, standingClock } from "../../support/times.ts";

const START = Date.UTC(2026, 9, 1, 12);
const clock = standingClock(START);
const service = createService({}, { now: () => clock.now });
const owner = await service.newOwner();
const stranger = await service.newOwner();

const idOf = (answer: Answer) => String(answer.body["id"]);

/** Ids of the caller and of the caller's first workspace. */
async function meOf(client: Client) {
  const { body } = await client.get<{ user: { id: string }; workspaces: { id: string }[] }>(
    "/auth/me",
  );
  return { userId: body.user.id, workspaceId: body.workspaces[0]?.id ?? "" };
}

/** Another workspace in which the person has this role since `joinedAt`. */
async function newWorkspace(userId: string, role: string, joinedAt: number) {
  const id = crypto.randomUUID();
  await allRows(
    "insert into workspaces values (?, 'Other', ?, ?, ?)",
    id,
    userId,
    joinedAt,
    joinedAt,
  );
  await allRows(
    "insert into workspace_members (workspace_id, user_id, role, joined_at) values (?, ?, ?, ?)",
    id,
    userId,
    role,
    joinedAt,
  );
  return id;
}

const auditOf = (scopeId: string) =>
  allRows(
    "select action, target_type, target_id, user_id, metadata from audit_entries where scope_id = ? order by rowid",
    scopeId,
  );

describe("POST /projects", () => {
  it("creates a project without SMTP settings in the caller's oldest workspace", async () => {
    const person = await service.newOwner();
    const { userId, workspaceId } = await meOf(person);
    await newWorkspace(userId, "owner", START + 1);
    const answer = await person.post("/projects", { name: " Shop ", description: "Mail of it" });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/),
      workspace_id: workspaceId,
      name: "Shop",
      description: "Mail of it",
      from_name: null,
      from_email: null,
      smtp_host: null,
      smtp_port: null,
      smtp_user: null,
      fallback: null,
      location_hint: null,
      created_at: iso(START),
      updated_at: iso(START),
    });
    expect(await auditOf(idOf(answer))).toEqual([
      {
        action: "project.create",
        target_type: "project",
        target_id: idOf(answer),
        user_id: userId,
        metadata: '{"name":"Shop"}',
      },
    ]);
  });

  it("creates it in the named workspace if the caller's role allows it", async () => {
    const { userId } = await meOf(owner);
    const admin = await newWorkspace(userId, "admin", START + 1);
    const viewer = await newWorkspace(userId, "viewer", START + 2);
    const create = (workspace_id: string) => owner.post("/projects", { name: "P", workspace_id });
    expect(await create(admin)).toMatchObject({ status: 201, body: { workspace_id: admin } });
    expect(await create(viewer)).toMatchObject({ status: 403 });
  });

  it("answers 404 to a workspace of other users, and 403 to a caller without any", async () => {
    const { workspaceId } = await meOf(stranger);
    for (const workspace_id of [workspaceId, crypto.randomUUID()])
      expect(await owner.post("/projects", { name: "P", workspace_id })).toMatchObject({
        status: 404,
        body: { error: "workspace not found" },
      });
    const loner = await service.newOwner();
    const { userId } = await meOf(loner);
    await allRows("delete from workspace_members where user_id = ?", userId);
    expect((await loner.post("/projects", { name: "P" })).status).toBe(403);
  });

  it("creates nothing in a workspace that the caller leaves during the request", async () => {
    const faulty = createService();
    const person = await faulty.newOwner();
    const { userId } = await meOf(person);
    // The role is read, the membership ends, and then the write runs.
    let lost: Promise<unknown> | undefined;
    faulty.d1.after = (sql) => {
      if (sql.some((text) => text.includes("join workspaces")))
        lost = allRows("delete from workspace_members where user_id = ?", userId);
    };
    const answer = await person.post("/projects", { name: "Late" });
    await lost;
    expect(answer).toMatchObject({ status: 404, body: { error: "workspace not found" } });
    expect(await allRows("select id from projects where created_by = ?", userId)).toEqual([]);
  });

  it.each([
    ["no name", {}],
    ["an empty name", { name: " " }],
    ["a name that is no text", { name: 7 }],
    ["a name of 201 characters", { name: "x".repeat(201) }],
    ["a name with a line break", { name: "a\r\nb" }],
    ["a description that is no text", { name: "x", description: 7 }],
    ["an invalid workspace_id", { name: "x", workspace_id: "mine" }],
    ["a list", []],
    ["null", null],
  ])("answers 400 with an explanation to %s", async (_name, body) => {
    expect(await owner.post("/projects", body)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/\w+ \w+/) },
    });
  });
});

describe("GET and PUT of projects", () => {
  it("list the projects the caller created, oldest first, and no others", async () => {
    const person = await service.newOwner();
    await owner.newProject();
    const ids = [];
    for (const name of ["First", "Second"]) {
      clock.now += 1_000;
      ids.push(idOf(await person.post("/projects", { name })));
    }
    const { body } = await person.get<Row[]>("/projects");
    expect(body.map(({ id }) => id)).toEqual(ids);
    const page = await person.get<Row[]>("/projects?limit=1&offset=1");
    expect(page.body.map(({ id }) => id)).toEqual(ids.slice(1));
    for (const query of ["limit=abc", "limit=0"])
      expect((await person.get(`/projects?${query}`)).status).toBe(400);
  });

  it("show nothing of a workspace the caller was removed from and deny access to it", async () => {
    const person = await service.newOwner();
    const { id } = await person.newProject();
    const { userId } = await meOf(person);
    await allRows("delete from workspace_members where user_id = ?", userId);
    expect((await person.get("/projects")).body).toEqual([]);
    expect((await person.get(`/projects/${id}`)).status).toBe(403);
  });

  it("change the given fields and keep the rest", async () => {
    const { body } = await owner.post("/projects", { name: "Old", description: "Kept" });
    clock.now += 5_000;
    const path = `/projects/${String(body["id"])}`;
    expect(await owner.put(path, { name: "New" })).toMatchObject({
      status: 200,
      body: { ...body, name: "New", updated_at: iso(clock.now) },
    });
    expect(await owner.put(path, { description: "" })).toMatchObject({
      body: { name: "New", description: "" },
    });
    expect((await owner.get(path)).body).toMatchObject({ name: "New", description: "" });
  });

  it("change nothing without a field, not even the version", async () => {
    const path = `/projects/${(await owner.newProject()).id}`;
    const { body } = await owner.get(path);
    expect(await owner.put(path, {})).toMatchObject({ status: 200, body });
    expect((await owner.request("PUT", path, {}, { "If-Match": '"1"' })).status).toBe(412);
  });

  it("lose neither of two simultaneous changes", async () => {
    const { id } = await owner.newProject();
    await Promise.all([
      owner.put(`/projects/${id}`, { name: "Both" }),
      owner.put(`/projects/${id}`, { description: "kept" }),
    ]);
    const both = { name: "Both", description: "kept" };
    expect((await owner.get(`/projects/${id}`)).body).toMatchObject(both);
  });
});

/** Rows per table: more than two steps of the sweep remove. */
const MANY = 1_200;

/** Tables that belong to a project through the id of another row. */
const CHILDREN: Record<string, string> = {
  email_clicks: "log_id",
  broadcast_chunks: "broadcast_id",
  batch_failures: "batch_id",
};

const NEVER_ALONE = /^(?:automation_(?:run|version)s|project_purges|webhook_deliveries)$/;

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: unknown;
}

/** Every table that holds rows of a project, found by its columns. */
async function projectTables() {
  const columns = await allRows<Column & { table: string }>(
    `select m.name as "table", c.name, c.type, c."notnull", c.dflt_value
      from sqlite_master m, pragma_table_info(m.name) c
      where m.type = 'table' and m.name not glob '_*' and m.name not like 'sqlite%'`,
  );
  return [...Map.groupBy(columns, ({ table }) => table)].flatMap(([table, its]) => {
    const key = CHILDREN[table] ?? its.find(({ name }) => name === "project_id")?.name;
    return key ? [{ table, key, columns: its }] : [];
  });
}

/** SQL for the project's id, ?1, in a column of this type. */
const keySql = (type: string) => (type.toLowerCase() === "blob" ? "unhex(?1, '-')" : "?1");

type Table = Awaited<ReturnType<typeof projectTables>>[number];

/** Fills tables: text columns hold the project's id and a number, so that ids match. */
async function fillTables(projectId: string, tables: Table[], count = MANY): Promise<void> {
  for (const { table, columns } of tables) {
    const needed = columns.filter(
      ({ name, notnull, dflt_value }) => notnull && dflt_value === null && name !== "seq",
    );
    const values = needed.map(({ name, type }) => {
      if (name === "project_id") return keySql(type);
      if (name === "due_at") return String(Number.MAX_SAFE_INTEGER); // not due for cron and queues
      if (name === "type") return "'png'"; // the key of an image needs one
      return type.toLowerCase() === "integer" ? "i" : "?1 || i";
    });
    await allRows(
      `insert or ignore into ${table} (${needed.map(({ name }) => name).join()})
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
        select ${values.join()} from n`,
      projectId,
    );
  }
}

/** Number of the project's rows in each table that has some. */
async function rowsOf(projectId: string): Promise<Record<string, number>> {
  const tables = await projectTables();
  const counts = tables.map(({ table, key, columns }) => {
    const type = columns.find(({ name }) => name === key)?.type ?? "";
    const own = key === "project_id" ? `= ${keySql(type)}` : "glob ?1 || '*'";
    const sql = `select count(*) as n from ${table} where ${key} ${own}`;
    return env.DB.prepare(sql).bind(projectId);
  });
  const answers = await env.DB.batch<{ n: number }>(counts);
  const rows = answers.map(({ results: [row] }, at) => [tables[at]?.table, row?.n ?? 0] as const);
  return Object.fromEntries(rows.filter(([, n]) => n > 0));
}

describe("DELETE /projects/{id}", () => {
  it("removes the project immediately for every caller, including its key", async () => {
    const { id, key } = await owner.newProject();
    const path = `/projects/${id}`;
    expect((await owner.delete(path)).status).toBe(204);
    for (const rest of ["", "/templates", "/api-keys", "/logs", "/stats"])
      expect((await owner.get(path + rest)).status).toBe(404);
    expect((await owner.delete(path)).status).toBe(404);
    expect((await service.withKey(key).post(`${path}/send`, {})).status).toBe(401);
    const { body } = await owner.get<Row[]>("/projects");
    expect(body.map((project) => project["id"])).not.toContain(id);
  });

  it("records the deletion in the workspace's audit trail once, even for simultaneous requests", async () => {
    const { id } = await owner.newProject();
    const answers = await Promise.all([1, 2, 3].map(() => owner.delete(`/projects/${id}`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404]);
    const { workspaceId } = await meOf(owner);
    const told = (await auditOf(workspaceId)).filter((entry) => entry["target_id"] === id);
    expect(told).toMatchObject([{ action: "project.delete", metadata: '{"name":"Test project"}' }]);
  });

  it("removes every row in every table through the sweep, and none of another project", async () => {
    const everywhere = await projectTables();
    const [gone, kept] = [await owner.newProject(), await owner.newProject()];
    for (const { id } of [gone, kept]) await fillTables(id, everywhere);
    await allRows("delete from project_purges where project_id in (?, ?)", gone.id, kept.id);
    const before = await rowsOf(kept.id);
    expect(Object.keys(before)).toHaveLength(everywhere.length - 1); // not the purge's own table
    expect(before).toMatchObject({ log_entries: MANY, email_clicks: MANY });
    expect((await owner.delete(`/projects/${gone.id}`)).status).toBe(204);
    expect((await rowsOf(gone.id))["log_entries"]).toBe(MANY - 500);
    const deps = await service.deps();
    for (let minute = 0; minute < 10; minute++) await runScheduled(deps, EVERY_MINUTE);
    await removeOldImages(deps);
    expect(await rowsOf(gone.id)).toEqual({});
    expect(await rowsOf(kept.id)).toEqual(before);
  });

  it("removes thousands of log entries with their clicks in one minute", async () => {
    const { id } = await owner.newProject();
    const log = (await projectTables()).filter(({ table }) =>
      ["log_entries", "email_clicks"].includes(table),
    );
    await fillTables(id, log, 6_000);
    expect((await owner.delete(`/projects/${id}`)).status).toBe(204);
    expect(await rowsOf(id)).toMatchObject({ log_entries: 5_500, email_clicks: 5_500 });
    await runScheduled(await service.deps(), EVERY_MINUTE);
    expect(await rowsOf(id)).toEqual({});
  });

  it("removes the rows of each table even when it is the only large one", async () => {
    const ownTables = (await projectTables()).filter(
      ({ table }) => !CHILDREN[table] && !NEVER_ALONE.test(table),
    );
    const ids = [];
    for (const table of ownTables) {
      const { id } = await owner.newProject();
      await fillTables(id, [table]);
      ids.push(id);
      expect((await owner.delete(`/projects/${id}`)).status).toBe(204);
    }
    const deps = await service.deps();
    for (let minute = 0; minute < 2 * ids.length; minute++) await continuePurges(deps);
    await removeOldImages(deps);
    for (const id of ids) expect(await rowsOf(id)).toEqual({});
  });
});

describe("PUT /projects/{id}/smtp", () => {
  const settings = {
    smtp_host: "smtp.example.com",
    smtp_port: 587,
    smtp_user: "mailer@shop.example",
    smtp_password: "very secret words",
  };
  const newPath = async () => `/projects/${(await owner.newProject()).id}`;

  it("saves the settings and shows them with the project, without the password", async () => {
    const path = await newPath();
    clock.now += 1_000;
    const saved = await owner.put(`${path}/smtp`, {
      ...settings,
      smtp_host: " SMTP.Example.com ",
      from_name: "Shop",
      from_email: "Hello@Shop.example",
    });
    expect(saved.status).toBe(200);
    const { smtp_password: _never, ...shown } = settings;
    expect(saved.body).toMatchObject({
      ...shown,
      from_name: "Shop",
      from_email: "hello@shop.example",
      updated_at: iso(clock.now),
    });
    expect((await owner.get(path)).body).toEqual(saved.body);
    const answers = [saved, await owner.get(path), await owner.get("/projects")];
    expect(JSON.stringify(answers)).not.toMatch(/password|very secret/);
  });

  it("keeps the password out of the database and the audit trail", async () => {
    const path = await newPath();
    await owner.put(`${path}/smtp`, settings);
    const id = path.slice("/projects/".length);
    const stored = [await allRows("select * from projects where id = ?", id), await auditOf(id)];
    expect(JSON.stringify(stored)).toContain("smtp.update");
    expect(JSON.stringify(stored)).not.toContain("very secret");
    expect(JSON.stringify(stored)).not.toContain(btoa("very secret words"));
  });

  it.each([
    ["smtp_host", "smtp.attacker.example"],
    ["smtp_port", 465],
    ["smtp_user", "somebody@shop.example"],
  ])(
    "requires the password again when %s changes, and keeps everything without it",
    async (field, to) => {
      const path = await newPath();
      const id = path.slice("/projects/".length);
      await owner.put(`${path}/smtp`, settings);
      const before = await allRows("select * from projects where id = ?", id);
      for (const smtp_password of [undefined, ""])
        expect(
          await owner.put(`${path}/smtp`, { ...settings, [field]: to, smtp_password }),
        ).toMatchObject({
          status: 400,
          body: { details: [{ path: "smtp_password", code: "required_again" }] },
        });
      expect(await allRows("select * from projects where id = ?", id)).toEqual(before);
      expect((await auditOf(id)).filter(({ action }) => action === "smtp.update")).toHaveLength(1);
      expect(await owner.put(`${path}/smtp`, { ...settings, [field]: to })).toMatchObject({
        status: 200,
        body: { [field]: to },
      });
    },
  );

  it("keeps the stored password if it is omitted while host, port and user stay the same", async () => {
    const { id } = await owner.newProject(CAPTURING);
    const { smtp_host, smtp_port, smtp_user } = (await owner.get(`/projects/${id}`)).body;
    const again = { smtp_host, smtp_port, smtp_user, from_name: "Renamed" };
    for (const smtp_password of [undefined, ""])
      expect(await owner.put(`/projects/${id}/smtp`, { ...again, smtp_password })).toMatchObject({
        status: 200,
        body: { from_name: "Renamed" },
      });
    expect(await owner.post(`/projects/${id}/smtp/test`)).toMatchObject({ status: 200 });
  });

  it("never combines a new password with an old host if two saves interleave", async () => {
    const path = await newPath();
    await owner.put(`${path}/smtp`, settings);
    const deps = await service.deps();
    const [read] = await selectProject(deps.db, path.slice("/projects/".length));
    if (!read) throw new Error("no project");
    const moved = { ...settings, smtp_host: "smtp.other.example", smtp_password: "another secret" };
    await owner.put(`${path}/smtp`, moved);
    const late = saveSmtpSettings(systemContext(deps, "late"), read, {
      host: settings.smtp_host,
      port: settings.smtp_port,
      user: settings.smtp_user,
      password: undefined,
      fromName: undefined,
      fromEmail: undefined,
      locationHint: undefined,
      near: undefined,
    });
    await expect(late).rejects.toThrow(/smtp_password: is required again/);
    expect((await owner.get(path)).body).toMatchObject({ smtp_host: "smtp.other.example" });
  });

  it("keeps from_name and from_email if they are omitted", async () => {
    const path = await newPath();
    await owner.put(`${path}/smtp`, {
      ...settings,
      from_name: "Shop",
      from_email: "a@shop.example",
    });
    const again = await owner.put(`${path}/smtp`, { ...settings, smtp_port: 465 });
    expect(again.body).toMatchObject({
      smtp_port: 465,
      from_name: "Shop",
      from_email: "a@shop.example",
    });
  });

  it("clears from_email when it is empty, and keeps it when it is null", async () => {
    const path = await newPath();
    const put = (from_email: string | null) =>
      owner.put(`${path}/smtp`, { ...settings, from_email });
    expect((await put("a@shop.example")).body).toMatchObject({ from_email: "a@shop.example" });
    expect((await put(null)).body).toMatchObject({ from_email: "a@shop.example" });
    expect((await put("")).body).toMatchObject({ from_email: null });
  });

  it.each(Object.keys(settings))(
    "answers 400 and names %s when it is missing or empty",
    async (field) => {
      const path = await newPath();
      for (const value of [undefined, field === "smtp_port" ? 0 : ""])
        expect(await owner.put(`${path}/smtp`, { ...settings, [field]: value })).toMatchObject({
          status: 400,
          body: { error: expect.stringContaining(field) },
        });
      expect((await owner.get(path)).body).toMatchObject({ smtp_host: null });
    },
  );

  it.each<[string, unknown]>([
    ["smtp_port", 25],
    ["smtp_port", 65_536],
    ["smtp_port", 587.5],
    ["smtp_port", "587"],
    ["smtp_host", "smtp.example.com:587"],
    ["smtp_host", "smtp://example.com"],
    ["smtp_host", "a b.example"],
    ["from_email", "nobody"],
    ["from_email", "a@b.example\r\nBcc: c@d.example"],
    ["from_name", "Shop\r\nBcc: c@d.example"],
    ["smtp_user", "a@b.example\0c"],
    ["smtp_user", "a@b.example\r\nQUIT"],
    ["smtp_password", "a\nb"],
    ["smtp_password", "a\0b"],
  ])("answers 400 and names %s for %j", async (field, value) => {
    const path = await newPath();
    expect(await owner.put(`${path}/smtp`, { ...settings, [field]: value })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(field) },
    });
  });

  describe("without ALLOW_PRIVATE_TARGETS", () => {
    const strict = createService({ ALLOW_PRIVATE_TARGETS: "yes" });

    it.each([
      "127.0.0.1",
      "localhost",
      "10.1.2.3",
      "192.168.0.1",
      "172.16.0.1",
      "169.254.169.254",
      "2130706433",
      "0x7f.1",
      "[::1]",
      "::ffff:127.0.0.1",
      "mail.internal",
      "postfix",
    ])("rejects the host %s", async (smtp_host) => {
      const person = strictOwner;
      const answer = await person.put(`/projects/${strictProject}/smtp`, {
        ...settings,
        smtp_host,
      });
      expect(answer).toMatchObject({
        status: 400,
        body: { details: [{ path: "smtp_host", code: "not_allowed" }] },
      });
    });

    let strictOwner: Client;
    let strictProject = "";
    beforeAll(async () => {
      strictOwner = await strict.newOwner();
      strictProject = (await strictOwner.newProject()).id;
    });

    it("sends nothing with settings saved while private hosts were allowed", async () => {
      const local = await owner.newProject(CAPTURING);
      const answer = await strict
        .withKey(local.key)
        .post(`/projects/${local.id}/send`, { to: "a@b.test", subject: "s", html_body: "h" });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining("smtp_host") },
      });
    });
  });

  it("does not send with a password copied from another project's row", async () => {
    const [from, to] = [await owner.newProject(CAPTURING), await owner.newProject(CAPTURING)];
    await allRows(
      "update projects set smtp_password_sealed = (select smtp_password_sealed from projects where id = ?) where id = ?",
      from.id,
      to.id,
    );
    const answer = await owner.post(`/projects/${to.id}/smtp/test`);
    expect(answer).toMatchObject({ status: 503, body: { code: "smtp_password_unreadable" } });
    expect((await owner.get(`/projects/${to.id}/logs`)).body).toMatchObject({ total: 0 });
  });

  it("opens a password with the previous ENCRYPTION_KEY during a rotation, and not without it", async () => {
    const NEXT = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";
    const sendWith = (settings: Parameters<typeof createService>[0]) =>
      createService(settings)
        .withKey(project.key)
        .post(`/projects/${project.id}/send`, {
          to: `${unique("to")}@any.test`,
          subject: "Rotation",
          html_body: "<p>Hi</p>",
        });
    const project = await owner.newProject(CAPTURING);
    const old = service.env.ENCRYPTION_KEY ?? "";
    const rotating = { ENCRYPTION_KEY: NEXT, ENCRYPTION_KEY_PREVIOUS: old };
    expect(await sendWith({})).toMatchObject({ status: 200 });
    expect(await sendWith(rotating)).toMatchObject({ status: 200 });
    expect(await sendWith({ ENCRYPTION_KEY: NEXT })).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining("ENCRYPTION_KEY_PREVIOUS") },
    });
    const server = { smtp_host: "127.0.0.1", smtp_port: ports.smtp };
    const login = { smtp_user: "user", smtp_password: "pass" };
    const saved = await createService(rotating, service.runtime).anonymous.request(
      "PUT",
      `/projects/${project.id}/smtp`,
      { ...settings, ...server, ...login },
      { Cookie: owner.cookie },
    );
    expect(saved.status).toBe(200);
    expect(await sendWith({ ENCRYPTION_KEY: NEXT })).toMatchObject({ status: 200 });
  });
});
