/* Imports with an id, and the people of each (API reference §12.2 and §12.9). */
import { describe, expect, it } from "vitest";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";

// A resolver that fails rejects nobody from an import.
const service = createService({}, { fetch: async () => Response.json({ Status: 2 }) });
const owner = await service.newOwner();

interface Import {
  id: string;
  name: string;
  imported: number;
  existing: number;
}
interface Page {
  subscribers: { email: string }[];
  total: number;
}

async function newList() {
  const { id: projectId } = await owner.newProject();
  const path = `/projects/${projectId}`;
  const begin = async (name: string) =>
    (await owner.post<Import>(`${path}/imports`, { name })).body.id;
  const load = (importId: string, emails: string[]) =>
    owner.post(
      `${path}/subscribers/import?import_id=${importId}`,
      emails.map((email) => ({ email })),
    );
  const counts = async () => {
    const { body } = await owner.get<{ imports: Import[] }>(`${path}/imports`);
    return body.imports.map(({ name, imported, existing }) => [name, imported, existing]);
  };
  const find = async (query: string) => {
    const { body } = await owner.get<Page>(`${path}/subscribers?${query}`);
    expect(body.total).toBe(body.subscribers.length);
    return body.subscribers.map(({ email }) => email).toSorted();
  };
  const matching = async (where: string) => {
    const { body } = await owner.post<{ sample: { email: string }[] }>(`${path}/segments/preview`, {
      where,
    });
    return body.sample.map(({ email }) => email).toSorted();
  };
  return { projectId, path, begin, load, counts, find, matching };
}

describe("an import", () => {
  it("has the people that it added and those that were there, and counts no one again", async () => {
    const { path, begin, load, counts, find } = await newList();
    await owner.post(`${path}/subscribers/import`, [{ email: "old@any.test" }]);
    const [fair, shop] = [await begin("Fair"), await begin("Shop")];
    for (let n = 0; n < 2; n++) await load(fair, ["a@any.test", "B@any.test", "old@any.test"]);
    expect(await counts()).toEqual([
      ["Shop", 0, 0],
      ["Fair", 2, 1],
    ]);
    expect(await find(`import=${fair}`)).toEqual(["a@any.test", "b@any.test", "old@any.test"]);
    const file = "Address\nb@any.test\nc@any.test\n";
    const body = { file, mapping: { email: "Address" }, status: "active", import_id: shop };
    await owner.post(`${path}/audience/import`, { ...body, dry_run: true });
    expect((await counts())[0]).toEqual(["Shop", 0, 0]);
    for (let n = 0; n < 2; n++) await owner.post(`${path}/audience/import`, body);
    expect((await counts())[0]).toEqual(["Shop", 1, 1]);
    expect(await find(`import=${shop}`)).toEqual(["b@any.test", "c@any.test"]);
    expect(await find(`import=${fair}&search=a%40any`)).toEqual(["a@any.test"]);
    expect(await find(`import=${fair}&status=pending`)).toEqual([]);
  });

  it("must belong to the project, and without an id nobody is assigned to one", async () => {
    const [{ projectId, path, load }, theirs] = [await newList(), await newList()];
    const foreign = await theirs.begin("Theirs");
    const refused = await load(foreign, ["a@any.test"]);
    expect([refused.status, refused.body["error"]]).toEqual([404, "import not found"]);
    const body = { file: "email,unsubscribed\na@any.test,false\n", import_id: foreign };
    expect((await owner.post(`${path}/audience/import`, body)).status).toBe(404);
    await owner.post(`${path}/subscribers/import`, [{ email: "a@any.test" }]);
    expect(
      await allRows("select email, import_id from subscribers where project_id = ?", projectId),
    ).toEqual([{ email: "a@any.test", import_id: null }]);
    expect((await owner.post(`${path}/imports`, { name: "" })).status).toBe(400);
  });

  it("is a condition on its people, by its id alone", async () => {
    const { path, begin, load, matching } = await newList();
    const [fair, shop] = [await begin("Fair"), await begin("Shop")];
    await load(fair, ["a@any.test", "b@any.test"]);
    await load(shop, ["c@any.test"]);
    await owner.post(`${path}/subscribers`, { email: "d@any.test" });
    expect(await matching(`import:${fair.toUpperCase()}`)).toEqual(["a@any.test", "b@any.test"]);
    expect(await matching(`import:${fair},${shop} and not email:a*`)).toEqual([
      "b@any.test",
      "c@any.test",
    ]);
    expect(await matching(`not import:${fair}`)).toEqual(["c@any.test", "d@any.test"]);
    const refused = await owner.post(`${path}/segments/preview`, { where: "import:fair" });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("import_unreadable");
  });

  it("limits a bulk change to its people, and a search for them to their rows", async () => {
    const { path, begin, load, find, matching } = await newList();
    const fair = await begin("Fair");
    const rows = Array.from({ length: 300 }, (_, n) => ({ email: `${n}@any.test` }));
    await owner.post(`${path}/subscribers/import`, rows);
    await load(fair, ["a@any.test", "b@any.test"]);
    const change = { action: "add_tags", tags: ["fair"], filter: { import: fair } };
    expect((await owner.post(`${path}/subscribers/bulk`, change)).body).toEqual({
      changed: 2,
      more: false,
    });
    expect(await find("tag=fair")).toEqual(["a@any.test", "b@any.test"]);
    expect(await find(`tag=fair&import=${crypto.randomUUID()}`)).toEqual([]);
    for (const read of [() => find(`import=${fair}`), () => matching(`import:${fair}`)]) {
      service.d1.reset();
      expect(await read()).toEqual(["a@any.test", "b@any.test"]);
      expect(service.d1.rowsRead).toBeLessThan(50);
    }
  });
});
