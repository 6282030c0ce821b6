/* Saved blocks: blocks of mails, kept under a name. */
import { describe, expect, it } from "vitest";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";

const service = createService();
const owner = await service.newOwner();

const newPlace = async () => `/projects/${(await owner.newProject()).id}/saved-blocks`;
const namesIn = async (path: string) => {
  const { body } = await owner.get<{ saved_blocks: { name: string }[] }>(path);
  return body.saved_blocks.map(({ name }) => name);
};

describe("a saved block", () => {
  it("is kept as it was given, listed by name, and deleted", async () => {
    const path = await newPlace();
    const columns = { type: "columns", columns: [[{ type: "divider" }], [{ type: "x", n: null }]] };
    const made = await owner.post<{ id: string }>(path, { name: "Two", block: columns });
    expect(made).toMatchObject({ status: 201, body: { name: "Two", block: columns } });
    await owner.post(path, { name: "One", block: { type: "divider" } });
    await owner.post(path, { name: "Two", block: { type: "divider" } });
    expect(await namesIn(path)).toEqual(["One", "Two", "Two"]);
    const at = `${path}/${made.body.id}`;
    expect((await owner.delete(at)).status).toBe(204);
    expect((await owner.delete(at)).status).toBe(404);
    expect(await namesIn(path)).toEqual(["One", "Two"]);
  });

  it("belongs to one project", async () => {
    const [path, other] = [await newPlace(), await newPlace()];
    const { body } = await owner.post<{ id: string }>(path, { name: "Line", block: {} });
    expect(await namesIn(other)).toEqual([]);
    expect((await owner.delete(`${other}/${body.id}`)).status).toBe(404);
    expect(await namesIn(path)).toEqual(["Line"]);
  });

  it("has a name and an object of bounded size", async () => {
    const path = await newPlace();
    const statusOf = async (body: object) => (await owner.post(path, body)).status;
    expect(await statusOf({ name: "Long", block: { html: "x".repeat(20_000) } })).toBe(400);
    expect(await statusOf({ name: " ", block: {} })).toBe(400);
    expect(await statusOf({ name: "List", block: [] })).toBe(400);
    expect(await statusOf({ name: "None" })).toBe(400);
  });

  it("is one of at most 100 in a project", async () => {
    const path = await newPlace();
    const { body } = await owner.post<{ project_id: string }>(path, { name: "One", block: {} });
    await allRows(
      `with recursive n(i) as (values(2) union all select i + 1 from n where i < 100)
        insert into saved_blocks (id, project_id, name, block, created_at)
        select substr(?, 1, 24) || printf('%012d', i), ?, 'More', '{}', 0 from n`,
      body.project_id,
      body.project_id,
    );
    expect(await owner.post(path, { name: "Another", block: {} })).toMatchObject({
      status: 409,
      body: { code: "too_many_saved_blocks", params: { max: 100 } },
    });
    expect(await namesIn(path)).toHaveLength(100);
  });
});
