import { describe, expect, it } from "vitest";
import { allRows, type Row } from "../../support/rows.ts";
import { createService, type Answer } from "../../support/service.ts";
import { iso, standingClock } from "../../support/times.ts";

const START = Date.UTC(2026, 9, 1, 12);
const clock = standingClock(START);
const service = createService({}, { now: () => clock.now });
const owner = await service.newOwner();
const stranger = await service.newOwner();

const idOf = (answer: Answer) => String(answer.body["id"]);
const parts = { subject: "Hi", html_body: "<p>One</p>", text_body: "One" };

async function newTemplate(by = owner) {
  const { id } = await by.newProject();
  const path = `/projects/${id}/templates`;
  const made = await by.post(path, { name: "News", ...parts });
  return { path, item: `${path}/${idOf(made)}`, made };
}

const versionsOf = async (item: string, query = "") =>
  (await owner.get<{ versions: Row[] }>(`${item}/versions${query}`)).body.versions;
const ifMatch = (tag: unknown) => ({ "If-Match": String(tag) });
const tagOf = ({ headers }: Answer) => headers.get("ETag");
const changed = { status: 412, body: { error: expect.stringContaining("ETag") } };

describe("versions of a template", () => {
  it("contain each state before a save, newest first, and can be read and restored", async () => {
    const { item, made } = await newTemplate();
    expect(await versionsOf(item)).toEqual([]);
    const savedAt = made.body["updated_at"];
    for (const text of ["Two", "Three"]) {
      clock.now += 1_000;
      await owner.put(item, { html_body: `<p>${text}</p>`, name: text, public: true });
    }
    const [second, first] = await versionsOf(item);
    const summary = { template_id: made.body["id"], subject: "Hi" };
    expect(first).toEqual({ ...summary, id: expect.any(String), name: "News", saved_at: savedAt });
    expect(second).toMatchObject({ ...summary, name: "Two", saved_at: iso(clock.now - 1_000) });
    expect((await owner.get(`${item}/versions/${String(first?.["id"])}`)).body).toEqual({
      ...first,
      html_body: "<p>One</p>",
      text_body: "One",
      preheader: "",
    });
    clock.now += 1_000;
    const restored = await owner.post(`${item}/versions/${String(first?.["id"])}/restore`);
    const now = { ...parts, name: "Three", public: true, updated_at: iso(clock.now) };
    expect(restored).toMatchObject({ status: 200, body: now });
    expect((await owner.get(item)).body).toEqual(restored.body);
    const kept = await versionsOf(item);
    expect(kept.map(({ name }) => name)).toEqual(["Three", "Two", "News"]);
    expect(await versionsOf(item, "?limit=1&offset=1")).toEqual(kept.slice(1, 2));
  });

  it("are limited to the newest 100, cost one row per save, and are deleted with their template", async () => {
    const { item, made } = await newTemplate();
    for (let n = 0; n < 102; n++) await owner.put(item, { subject: String(n) });
    const subjects = (await versionsOf(item)).map(({ subject }) => subject);
    expect(subjects).toEqual(Array.from({ length: 100 }, (_, n) => String(100 - n)));
    const other = await newTemplate();
    service.d1.reset();
    await owner.put(other.item, { subject: "First" });
    // the template with an index, the audit entry with two, and the version
    expect([service.d1.roundTrips, service.d1.rowsWritten]).toEqual([2, 2 + 3 + 1]);
    await owner.delete(item);
    const left = "select count(*) as n from template_versions where template_id = ?";
    expect(await allRows(left, made.body["id"])).toEqual([{ n: 0 }]);
    expect(await allRows(left, other.made.body["id"])).toEqual([{ n: 1 }]);
  });

  it("are deleted with their project", async () => {
    const { path, item, made } = await newTemplate();
    await owner.put(item, { subject: "Other" });
    await owner.delete(path.replace("/templates", ""));
    for (const table of ["template_versions where template_id", "templates where id"])
      expect(await allRows(`select count(*) as n from ${table} = ?`, made.body["id"])).toEqual([
        { n: 0 },
      ]);
  });

  it("are not stored for a rejected save", async () => {
    const { item } = await newTemplate();
    expect((await owner.put(item, { html_body: "{{#if}}" })).status).toBe(400);
    expect((await owner.request("PUT", item, parts, ifMatch('"1"'))).status).toBe(412);
    expect(await versionsOf(item)).toEqual([]);
  });

  it("of another project or template answer 404 and change nothing", async () => {
    const mine = await newTemplate();
    const theirs = await newTemplate(stranger);
    await stranger.put(theirs.item, { subject: "Secret" });
    const { body } = await stranger.get<{ versions: Row[] }>(`${theirs.item}/versions`);
    const id = String(body.versions[0]?.["id"]);
    const foreign = `${mine.path}/${idOf(theirs.made)}/versions`;
    for (const path of [foreign, `${foreign}/${id}`, `${mine.item}/versions/${id}`])
      expect((await owner.get(path)).status).toBe(404);
    for (const path of [foreign, `${mine.item}/versions`])
      expect((await owner.post(`${path}/${id}/restore`)).status).toBe(404);
    expect((await owner.post(`${mine.path}/${idOf(theirs.made)}/duplicate`, {})).status).toBe(404);
    expect((await stranger.get(theirs.item)).body).toMatchObject({ subject: "Secret" });
    expect((await owner.get(mine.item)).body).toEqual(mine.made.body);
    expect(await versionsOf(mine.item)).toEqual([]);
  });
});

describe("a copy of a template", () => {
  it("has its content, is not public, and is named a copy", async () => {
    const { item, made } = await newTemplate();
    await owner.put(item, { public: true });
    const names = [];
    for (let n = 0; n < 3; n++) {
      const copy = await owner.post(`${item}/duplicate`, {});
      expect(copy).toMatchObject({ status: 201, body: { ...parts, public: false } });
      expect(copy.body["id"]).not.toBe(made.body["id"]);
      names.push(copy.body["name"]);
    }
    expect(names).toEqual(["News (copy)", "News (copy)", "News (copy)"]);
    expect((await owner.post(`${item}/duplicate`, { name: "Own" })).body).toMatchObject({
      name: "Own",
    });
  });
});

describe("If-Match", () => {
  it("lets one of two writers of the same state succeed, and answers 412 to the other", async () => {
    const { item, made } = await newTemplate();
    const tag = tagOf(made);
    expect(tag).toMatch(/^"\d+"$/);
    expect(tagOf(await owner.get(item))).toBe(tag);
    const write = (subject: string) => owner.request("PUT", item, { subject }, ifMatch(tag));
    const answers = await Promise.all([write("A"), write("B")]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    const [won] = answers.filter(({ status }) => status === 200);
    expect(await owner.get(item)).toMatchObject({ body: won?.body });
    expect(tagOf(await owner.get(item))).toBe(won && tagOf(won));
    expect(await versionsOf(item)).toHaveLength(1);
  });

  it("also guards deletion and restoration, and accepts weak tags, lists and *", async () => {
    const { item, made } = await newTemplate();
    const old = tagOf(made);
    const saved = await owner.put(item, { subject: "New" });
    const [version] = await versionsOf(item);
    const restore = `${item}/versions/${String(version?.["id"])}/restore`;
    for (const tags of [old, '"no"', "", `W/${old}`])
      for (const [method, path, body] of [
        ["PUT", item, { subject: "Lost" }],
        ["DELETE", item, undefined],
        ["POST", restore, undefined],
      ] as const)
        expect(await owner.request(method, path, body, ifMatch(tags))).toMatchObject(changed);
    expect((await owner.get(item)).body).toEqual(saved.body);
    for (const tags of [`${old}, W/${tagOf(saved)}`, "*"])
      expect((await owner.request("POST", restore, undefined, ifMatch(tags))).status).toBe(200);
    expect((await owner.request("DELETE", item, undefined, ifMatch("*"))).status).toBe(204);
    expect((await owner.request("PUT", item, parts, ifMatch(old))).status).toBe(404);
  });
});

describe("a list of templates", () => {
  it("omits the bodies with fields=summary, and only then", async () => {
    const { path, made } = await newTemplate();
    const { html_body, text_body, ...summary } = made.body;
    expect((await owner.get(`${path}?fields=summary`)).body).toEqual([summary]);
    expect((await owner.get(path)).body).toEqual([{ ...summary, html_body, text_body }]);
    expect((await owner.get(`${path}?fields=name`)).status).toBe(400);
  });
});
