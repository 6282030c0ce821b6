/* Fields: descriptions of the keys of the subscribers' metadata. */
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemContext } from "../../../src/context.ts";
import { projects } from "../../../src/db/schema/index.ts";
import { createFields, MOST_FIELDS, type FieldInput } from "../../../src/services/fields/index.ts";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();

const newPlace = async () => `/projects/${(await owner.newProject()).id}`;
const idOf = async (made: Promise<{ body: Record<string, unknown> }>) =>
  String((await made).body["id"]);

describe("a field", () => {
  it("is created, listed by label, changed and deleted, and the metadata stays", async () => {
    const path = await newPlace();
    const email = "ann@any.test";
    await owner.post(`${path}/subscribers`, { email, metadata: { plan: "Pro", Stadt: "Köln" } });
    const made = await owner.post(`${path}/fields`, { key: "plan" });
    expect(made).toMatchObject({
      status: 201,
      body: { key: "plan", label: "plan", type: "text", choices: [] },
    });
    await owner.post(`${path}/fields`, { key: "Stadt", label: "City" });
    const at = `${path}/fields/${String(made.body["id"])}`;
    const change = { label: "Tariff", type: "choice", choices: ["Free", "Pro"] };
    const changed = await owner.request("PATCH", at, change);
    expect(changed.body).toMatchObject({ ...made.body, ...change, updated_at: expect.anything() });
    expect((await owner.get(at)).body).toEqual({ ...changed.body, uses: [] });
    const { body } = await owner.get<{ fields: { label: string }[] }>(`${path}/fields`);
    expect(body.fields.map(({ label }) => label)).toEqual(["City", "Tariff"]);
    expect((await owner.delete(at)).status).toBe(204);
    expect((await owner.delete(at)).status).toBe(404);
    expect((await owner.get(at)).status).toBe(404);
    expect((await owner.request("PATCH", at, change)).status).toBe(404);
    const list = await owner.get<{ subscribers: object[] }>(`${path}/subscribers`);
    expect(list.body.subscribers).toMatchObject([{ metadata: { plan: "Pro", Stadt: "Köln" } }]);
  });

  it("exists once for a key, and belongs to one project", async () => {
    const [path, other] = [await newPlace(), await newPlace()];
    const id = await idOf(owner.post(`${path}/fields`, { key: "plan" }));
    expect(await owner.post(`${path}/fields`, { key: "plan" })).toMatchObject({
      status: 409,
      body: { code: "field_exists", params: { key: "plan" } },
    });
    expect((await owner.post(`${other}/fields`, { key: "plan" })).status).toBe(201);
    expect((await owner.delete(`${other}/fields/${id}`)).status).toBe(404);
    expect((await owner.get(`${path}/fields/${id}`)).status).toBe(200);
  });

  it("has a known type, a key and something to change", async () => {
    const path = await newPlace();
    const refused = async (body: object) =>
      expect((await owner.post(`${path}/fields`, body)).status).toBe(400);
    await refused({ key: "plan", type: "color" });
    await refused({ key: " " });
    await refused({ label: "Plan" });
    const id = await idOf(owner.post(`${path}/fields`, { key: "plan" }));
    expect((await owner.request("PATCH", `${path}/fields/${id}`, {})).status).toBe(400);
  });

  it("names the segments, templates and drafts that use it", async () => {
    const path = await newPlace();
    const segment = await idOf(
      owner.post(`${path}/segments`, { name: "Pros", where: "plan:Pro and tag:vip" }),
    );
    await owner.post(`${path}/segments`, { name: "Others", where: "planet:Mars and tag:plan" });
    const template = (name: string, html_body: string) =>
      idOf(owner.post(`${path}/templates`, { name, subject: "Hi", html_body }));
    const naming = await template("Yes", "<p>{{metadata.planet}} {{metadata.plan}}</p>");
    await template("No", "<p>{{metadata.planet}} plan</p>");
    const draft = await idOf(
      owner.post(`${path}/broadcasts`, {
        name: "May",
        subject: "{{#if metadata.[plan]}}Pro{{/if}}",
        html_body: "<p>Hi</p>",
        where: "plan:Pro",
      }),
    );
    const id = await idOf(owner.post(`${path}/fields`, { key: "plan" }));
    const { body } = await owner.get<{ uses: { kind: string }[] }>(`${path}/fields/${id}`);
    expect(body.uses.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      { kind: "broadcast", id: draft, name: "May" },
      { kind: "segment", id: segment, name: "Pros" },
      { kind: "template", id: naming, name: "Yes" },
    ]);
  });

  it("is noted in the audit log, with its key", async () => {
    const path = await newPlace();
    const id = await idOf(owner.post(`${path}/fields`, { key: "plan" }));
    await owner.request("PATCH", `${path}/fields/${id}`, { label: "Plan" });
    await owner.delete(`${path}/fields/${id}`);
    const entries = await allRows(
      "select action, metadata from audit_entries where target_id = ? order by id",
      id,
    );
    const metadata = '{"key":"plan"}';
    expect(entries).toEqual([
      { action: "field.create", metadata },
      { action: "field.update", metadata },
      { action: "field.delete", metadata },
    ]);
  });
});

describe("several fields", () => {
  const field = (key: string): FieldInput => ({ key, label: key, type: "text", choices: [] });

  /** Creates fields in a project as an import does. */
  async function create(path: string, keys: string[]): Promise<string[]> {
    const deps = await service.deps();
    const [, , id = ""] = path.split("/");
    const [project] = await deps.db.select().from(projects).where(eq(projects.id, id));
    if (!project) throw new Error("the project is missing");
    return (await createFields(systemContext(deps, "test"), project, keys.map(field))).map(
      ({ key }) => key,
    );
  }

  it("are created at once, without those that exist", async () => {
    const path = await newPlace();
    await owner.post(`${path}/fields`, { key: "b", label: "Kept" });
    expect(await create(path, ["a", "b", "c", "a"])).toEqual(["a", "c"]);
    expect(await create(path, ["a", "b"])).toEqual([]);
    const { body } = await owner.get<{ fields: object[] }>(`${path}/fields`);
    expect(body.fields).toMatchObject([
      { key: "b", label: "Kept" },
      { key: "a", label: "a" },
      { key: "c", label: "c" },
    ]);
  });

  it("are at most a hundred in a project: all of them are added, or none", async () => {
    const path = await newPlace();
    const keys = Array.from({ length: MOST_FIELDS - 1 }, (_, n) => `k${n}`);
    await create(path, keys);
    const refused = { code: "too_many_fields" };
    await expect(create(path, ["x", "y"])).rejects.toMatchObject(refused);
    expect((await owner.post(`${path}/fields`, { key: "x" })).status).toBe(201);
    expect(await create(path, keys)).toEqual([]);
    expect((await owner.post(`${path}/fields`, { key: "y" })).body).toMatchObject(refused);
  });
});
