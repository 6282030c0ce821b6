import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/lib/hash.ts";
import { mailTemplate, renderMail } from "../../../src/services/templates/index.ts";
import { allRows, type Row } from "../../support/rows.ts";
import { createService, type Answer, type Client } from "../../support/service.ts";
import { iso, standingClock } from "../../support/times.ts";

const START = Date.UTC(2026, 9, 1, 12);
const clock = standingClock(START);
const service = createService({}, { now: () => clock.now });
const owner = await service.newOwner();
const stranger = await service.newOwner();

const idOf = (answer: Answer) => String(answer.body["id"]);

const metadataOf = async (targetId: string) =>
  (
    await allRows("select metadata from audit_entries where target_id = ? order by rowid", targetId)
  ).map(({ metadata }) => metadata);

const actionsOf = async (projectPath: string) =>
  (
    await allRows(
      "select action from audit_entries where scope_id = ? order by rowid",
      projectPath.split("/")[2],
    )
  ).map(({ action }) => action);

describe("templates", () => {
  const newPath = async () => `/projects/${(await owner.newProject()).id}/templates`;
  const parts = { subject: "Hi {{name}}", html_body: "<p>{{name}}</p>", text_body: "{{name}}" };

  it("render as in their own project, even one imported with different content", () => {
    const content = { subject: "", textBody: "", preheader: "", tracking: {} };
    const stored = { id: "t", name: "n", ...content, createdAt: 1, updatedAt: 1 };
    const htmlOf = (projectId: string, htmlBody: string) =>
      renderMail(mailTemplate({ ...stored, projectId, htmlBody, isPublic: false }), {}).html;
    expect([htmlOf("before", "old"), htmlOf("after", "new")]).toEqual(["old", "new"]);
  });

  it("are created with just a name, shown, changed and deleted", async () => {
    const path = await newPath();
    const created = await owner.post(path, { name: "Welcome" });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String),
      project_id: path.split("/")[2],
      name: "Welcome",
      subject: "",
      html_body: "",
      text_body: "",
      public: false,
      preheader: "",
      tracking: {},
      created_at: iso(START),
      updated_at: iso(START),
    });
    const item = `${path}/${idOf(created)}`;
    expect(await owner.get(item)).toMatchObject({ status: 200, body: created.body });
    clock.now += 1_000;
    const changed = await owner.put(item, parts);
    expect(changed).toMatchObject({
      status: 200,
      body: { ...created.body, ...parts, updated_at: iso(clock.now) },
    });
    expect((await owner.put(item, { subject: "Other" })).body).toMatchObject({
      ...parts,
      subject: "Other",
    });
    expect((await owner.delete(item)).status).toBe(204);
    expect(await owner.get(item)).toMatchObject({
      status: 404,
      body: { error: "template not found" },
    });
    const told = await actionsOf(path);
    expect(told.filter((action) => String(action).startsWith("template."))).toEqual([
      "template.create",
      "template.update",
      "template.update",
      "template.delete",
    ]);
  });

  it("can be created from the sources of the built-in templates", async () => {
    const path = await newPath();
    const { body } = await owner.get<{ templates: Row[] }>(
      path.replace(/templates$/, "built-in-templates"),
    );
    expect(body.templates.map(({ name }) => name)).toEqual([
      "verification",
      "welcome",
      "purchase_confirmation",
      "credentials",
    ]);
    for (const { name, subject, html_body, text_body, variables } of body.templates) {
      expect(variables).toContainEqual(expect.objectContaining({ name: "name", required: false }));
      const made = await owner.post(path, { name, subject, html_body, text_body });
      expect(made).toMatchObject({ status: 201, body: { name, subject, html_body, text_body } });
    }
  });

  it("are listed by last update, newest first", async () => {
    const path = await newPath();
    const ids = [];
    for (const name of ["A", "B", "C"]) {
      clock.now += 1_000;
      ids.push(idOf(await owner.post(path, { name })));
    }
    clock.now += 1_000;
    await owner.put(`${path}/${ids[0]}`, { name: "A2" });
    const { body } = await owner.get<Row[]>(path);
    expect(body.map(({ name }) => name)).toEqual(["A2", "C", "B"]);
  });

  it("are all listed by default; a limit is at most 200", async () => {
    const path = await newPath();
    const keys = path.replace("templates", "api-keys");
    for (let n = 0; n < 201; n++) {
      clock.now += 1;
      const id = crypto.randomUUID();
      const projectId = path.split("/")[2];
      await allRows(
        "insert into templates values (?, ?, ?, '', '', '', ?, ?, 0, '', '{}')",
        id,
        projectId,
        String(n),
        clock.now,
        clock.now,
      );
      await allRows(
        "insert into api_keys (id, project_id, name, type, key_hash, prefix, created_at, capabilities, created_by) values (?, ?, ?, 'sk', ?, 'sk_', ?, '[]', '01900000-0000-7000-8000-000000000000')",
        id,
        projectId,
        String(n),
        id,
        clock.now,
      );
    }
    const templatesOf = async (query: string) => (await owner.get<Row[]>(path + query)).body;
    const keysOf = async (query: string) =>
      (await owner.get<{ api_keys: Row[] }>(keys + query)).body.api_keys;
    for (const [list, rest] of [
      [templatesOf, 0],
      [keysOf, 1],
    ] as const) {
      const names = async (query: string) => (await list(query)).map(({ name }) => name);
      const whole = await names("");
      expect(whole).toHaveLength(201 + rest);
      expect(await names("?limit=201")).toEqual(whole.slice(0, 200));
      expect(await names("?limit=2&offset=1")).toEqual(whole.slice(1, 3));
      expect(await names("?offset=199")).toEqual(whole.slice(199));
    }
    for (const query of ["?limit=abc", "?limit=0", "?offset=-1"])
      for (const list of [path, keys])
        expect(await owner.get(list + query)).toMatchObject({
          status: 400,
          body: { error: expect.stringMatching(/^(?:limit|offset): must be/) },
        });
  });

  it("appear in the audit trail by name, even after their deletion", async () => {
    const path = await newPath();
    const id = idOf(await owner.post(path, { name: "Welcome" }));
    await owner.delete(`${path}/${id}`);
    expect(await metadataOf(id)).toEqual(['{"name":"Welcome"}', '{"name":"Welcome"}']);
  });

  it("get a new updated_at with every change, even within one millisecond", async () => {
    const path = await newPath();
    const item = `${path}/${idOf(await owner.post(path, { name: "Fast" }))}`;
    const stamps = [];
    for (const subject of ["1", "2", "3"])
      stamps.push((await owner.put(item, { subject })).body["updated_at"]);
    expect(stamps).toEqual([iso(START + 1), iso(START + 2), iso(START + 3)]);
  });

  it.each([
    ["subject", "{{name", 1],
    ["html_body", "<p>\n{{#if paid}}\n</p>", 2],
    ["html_body", "one\ntwo {{/each}}", 2],
    ["text_body", "one\n\n{{> missing}}", 3],
    ["html_body", "{{frobnicate 1}}", 1],
  ])("are answered 400 with field, line and reason: %s %j", async (field, source, line) => {
    const path = await newPath();
    const item = `${path}/${idOf(await owner.post(path, { name: "Good" }))}`;
    const refusal = {
      status: 400,
      body: {
        error: expect.stringContaining(`${field}: template syntax error at line ${line}, column `),
        details: [
          { path: field, code: "template_syntax_error", params: { place: { params: { line } } } },
        ],
      },
    };
    expect(await owner.post(path, { name: "Bad", [field]: source })).toMatchObject(refusal);
    expect(await owner.put(item, { [field]: source })).toMatchObject(refusal);
    const { body } = await owner.get<Row[]>(path);
    expect(body).toMatchObject([{ name: "Good", subject: "", html_body: "", text_body: "" }]);
  });

  it.each([
    ["no name", "POST", {}],
    ["a subject of two lines", "POST", { name: "x", subject: "a\nb" }],
    ["a body that is no text", "POST", { name: "x", html_body: 1 }],
    ["a change of nothing", "PUT", {}],
    ["an empty name", "PUT", { name: "" }],
  ])("are answered 400 for %s", async (_name, method, body) => {
    const path = await newPath();
    const item = `${path}/${idOf(await owner.post(path, { name: "x" }))}`;
    expect((await owner.request(method, method === "POST" ? path : item, body)).status).toBe(400);
  });

  it("may share a name, in which control characters become spaces and which is trimmed", async () => {
    const path = await newPath();
    const first = await owner.post(path, { name: "News" });
    expect(await owner.post(path, { name: " News " })).toMatchObject({
      status: 201,
      body: { name: "News" },
    });
    const item = `${path}/${idOf(await owner.post(path, { name: "Other" }))}`;
    expect(await owner.put(item, { name: "News" })).toMatchObject({ status: 200 });
    const copy = await owner.post(`${path}/${idOf(first)}/duplicate`, { name: "News" });
    expect(copy).toMatchObject({ status: 201, body: { name: "News" } });
    const long = await owner.put(item, { name: `a\tb\r\nc\u202e${"x".repeat(300)}` });
    expect(long).toMatchObject({ status: 200, body: { name: `a b c ${"x".repeat(194)}` } });
  });

  it("of another project answer 404 to every method and stay unchanged", async () => {
    const [mine, theirs] = [
      await newPath(),
      `/projects/${(await stranger.newProject()).id}/templates`,
    ];
    const foreign = (await stranger.post(theirs, { name: "Theirs", ...parts })).body;
    for (const id of [String(foreign["id"]), crypto.randomUUID()]) {
      const item = `${mine}/${encodeURIComponent(id)}`;
      for (const [method, body] of [["GET"], ["PUT", { name: "Mine" }], ["DELETE"]] as const)
        expect(await owner.request(method, item, body)).toMatchObject({
          status: 404,
          body: { error: "template not found" },
        });
    }
    expect((await stranger.get(`${theirs}/${String(foreign["id"])}`)).body).toEqual(foreign);
    expect(await actionsOf(mine)).toEqual(["project.create", "api_key.create"]);
  });
});

describe("API keys", () => {
  const newPath = async () => `/projects/${(await owner.newProject()).id}/api-keys`;

  it("are shown once, with type and first characters, and stored as a hash", async () => {
    const path = await newPath();
    const { status, body } = await owner.post(path, {
      name: "Server",
      type: "sdk",
      rate_limit_per_minute: 5,
    });
    expect(status).toBe(201);
    const key = String(body["key"]);
    expect(key).toMatch(/^sdk_[0-9A-Za-z]{43}$/);
    const shown = {
      id: expect.any(String),
      name: "Server",
      type: "sdk",
      prefix: key.slice(0, 10),
      test: false,
      capabilities: [
        "read",
        "subscribers:write",
        "events:write",
        "send:transactional",
        "send:broadcast",
      ],
      created_by: expect.any(String),
      created_by_name: "Olive Owner",
      created_by_email: owner.email,
      created_by_member: true,
      rate_limit_per_minute: 5,
      created_at: iso(START),
      last_used_at: null,
    };
    expect(body).toEqual({ ...shown, key });
    const list = await owner.get<{ api_keys: Row[] }>(path);
    expect(list.body.api_keys).toContainEqual(shown);
    expect(JSON.stringify(list.body)).not.toContain(key);
    const stored = await allRows("select * from api_keys where id = ?", body["id"]);
    expect(stored).toMatchObject([{ key_hash: sha256Hex(key) }]);
    const told = await allRows("select * from audit_entries where target_id = ?", body["id"]);
    expect(told).toHaveLength(1);
    expect(JSON.stringify([stored, told])).not.toContain(key);
  });

  it.each(["sk", "pk", "sdk"])("of type %s start with it", async (type) => {
    const { body } = await owner.post(await newPath(), { name: "k", type });
    expect(body["key"]).toMatch(new RegExp(`^${type}_`));
  });

  it.each([
    ["no name", {}],
    ["an unknown type", { name: "k", type: "root" }],
    ["a limit of 0", { name: "k", rate_limit_per_minute: 0 }],
    ["a limit of 1.5", { name: "k", rate_limit_per_minute: 1.5 }],
    ["a limit of 10001", { name: "k", rate_limit_per_minute: 10_001 }],
    ["a limit that is no number", { name: "k", rate_limit_per_minute: "5" }],
  ])("are answered 400 for %s", async (_name, body) => {
    expect((await owner.post(await newPath(), body)).status).toBe(400);
  });

  it.each([
    ["nothing", {}, "name: is required"],
    ["an unknown type", { name: "k", type: "root" }, "type: must be one of sk, pk, sdk"],
    ["a name that is no text", { name: 7 }, "name: must be a string"],
    ["a limit of 0", { name: "k", rate_limit_per_minute: 0 }, "rate_limit_per_minute: must be at"],
    ["a list", [], "the body must be an object"],
  ])("are rejected with a plain explanation for %s", async (_name, body, words) => {
    const { body: refusal } = await owner.post(await newPath(), body);
    expect(refusal["error"]).toMatch(new RegExp(`^${words}`));
  });

  it("have the project's limits with a rate_limit_per_minute of null or without one", async () => {
    const answer = await owner.post(await newPath(), { name: "k", rate_limit_per_minute: null });
    expect(answer).toMatchObject({ status: 201, body: { rate_limit_per_minute: null } });
  });

  it("with their own limit are counted separately, as is each kind of call", async () => {
    const path = await newPath();
    const newKey = async (name: string) =>
      service.withKey(
        String((await owner.post(path, { name, rate_limit_per_minute: 2 })).body["key"]),
      );
    const [one, two] = [await newKey("one"), await newKey("two")];
    const passed = async (client: Client, call: string) => {
      const calls = Array.from({ length: 3 }, () =>
        client.post(path.replace("api-keys", call), {}),
      );
      return (await Promise.all(calls)).filter(({ status }) => status === 400).length;
    };
    for (const [client, call] of [
      [one, "send"],
      [two, "send"],
      [one, "send/batch"],
    ] as const)
      expect(await passed(client, call)).toBe(2);
  });

  it("appear in the audit trail by name and type when they are revoked", async () => {
    const path = await newPath();
    const id = idOf(await owner.post(path, { name: "Server", type: "pk" }));
    await owner.delete(`${path}/${id}`);
    const facts = { name: "Server", type: "pk" };
    const told = (await metadataOf(id)).map((metadata) => JSON.parse(String(metadata)) as Row);
    expect(told).toEqual([{ ...facts, capabilities: ["subscribers:write"] }, facts]);
  });

  it("stop working with the first request after their revocation", async () => {
    const path = await newPath();
    const send = path.replace("api-keys", "send");
    const { body } = await owner.post(path, { name: "k" });
    const key = service.withKey(String(body["key"]));
    expect((await key.post(send, {})).status).toBe(400);
    expect((await owner.delete(`${path}/${String(body["id"])}`)).status).toBe(204);
    expect((await key.post(send, {})).status).toBe(401);
    expect((await owner.delete(`${path}/${String(body["id"])}`)).status).toBe(404);
  });

  it("of another project can be neither revoked nor seen", async () => {
    const [mine, theirs] = [
      await newPath(),
      `/projects/${(await stranger.newProject()).id}/api-keys`,
    ];
    const { body } = await stranger.get<{ api_keys: { id: string }[] }>(theirs);
    expect((await owner.delete(`${mine}/${body.api_keys[0]?.id}`)).status).toBe(404);
    expect((await stranger.get(theirs)).body).toEqual(body);
  });

  it("record their use at most once a minute, without an extra round trip", async () => {
    const path = await newPath();
    const { id, key } = (await owner.post(path, { name: "k" })).body;
    const client = service.withKey(String(key));
    const use = async (at: number) => {
      clock.now = at;
      service.d1.reset();
      await client.post(path.replace("api-keys", "send"), {
        to: "a@b.test",
        subject: "s",
        html_body: "h",
      });
      const { roundTrips, rowsWritten } = service.d1;
      const [row] = await allRows("select last_used_at as at from api_keys where id = ?", id);
      return { roundTrips, rowsWritten, at: row?.["at"] };
    };
    expect(await use(START)).toEqual({ roundTrips: 1, rowsWritten: 1, at: START });
    expect(await use(START + 60_000)).toEqual({ roundTrips: 1, rowsWritten: 0, at: START });
    expect(await use(START + 60_001)).toEqual({
      roundTrips: 1,
      rowsWritten: 1,
      at: START + 60_001,
    });
    const { body } = await owner.get<{ api_keys: Row[] }>(path);
    expect(body.api_keys.find((shown) => shown["id"] === id)).toMatchObject({
      last_used_at: iso(START + 60_001),
    });
  });
});
