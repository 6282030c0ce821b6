/* Topics, segments and fields that automations name: what their deletion and renaming does. */
import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/lib/automation-definition.ts";
import { automationWorld, wait, mail as mailOf } from "../../support/automating.ts";
import { automationWorlds, mail } from "../../support/automation-worlds.ts";
import { allRows, insertRow } from "../../support/rows.ts";
import { storeCounts } from "../../support/stored-automations.ts";
import { DAY_MS } from "../../support/tracking/mails.ts";

const { service, owner, newWorld } = await automationWorlds();

const WHERE = 'tag:a or not topic:"product NEWS"';
const end = (id: string): Step => ({ id, type: "end" });
const branch = (id: string, where: string, steps: Step[] = []): Step => ({
  id,
  type: "branch",
  ways: [{ where, steps }],
  else: [],
});

/** A topic of a project, and what happens to it. */
async function newTopic(path: string, by = owner) {
  const made = await by.post<{ id: string }>(`${path}/topics`, { name: "Product news" });
  const { id } = made.body;
  return {
    id,
    remove: () => by.delete(`${path}/topics/${id}`),
    rename: () => by.request("PATCH", `${path}/topics/${id}`, { name: "Letters" }),
  };
}

const refused = (code: string, params: object) => ({ status: 409, body: { code, params } });
const places = 'automation "Series"';
const inConditions = refused("topic_in_conditions", { places });

describe("a topic in a condition of an automation", () => {
  it.each([
    ["of its trigger", { trigger: { type: "manual", where: WHERE }, steps: [mail("hi")] }],
    ["of its goal", { goal: { where: WHERE }, steps: [mail("hi")] }],
    [
      "of a way inside another one",
      { steps: [branch("outer", "tag:b", [branch("inner", WHERE, [mail("hi")])]), end("z")] },
    ],
  ])("%s is kept until the automation is stopped", async (_place, definition) => {
    const { path, patch, act } = await newWorld();
    const { id, remove, rename } = await newTopic(path);
    expect((await patch(definition)).status).toBe(200);
    for (const action of ["start", "pause", undefined]) {
      expect(await remove()).toMatchObject(inConditions);
      expect(await rename()).toMatchObject(refused("topic_name_in_conditions", { places, id }));
      if (action) expect((await act(action)).status).toBe(200);
    }
    expect((await act("stop")).status).toBe(200);
    expect((await rename()).status).toBe(200);
    expect((await remove()).status).toBe(204);
  });

  it("is renamed if the condition has its id, and deleted once the condition is gone", async () => {
    const { path, patch, act } = await newWorld();
    const { id, remove, rename } = await newTopic(path);
    await patch({ goal: { where: `not topic:${id}` } });
    await act("start");
    expect((await rename()).status).toBe(200);
    expect(await remove()).toMatchObject(inConditions);
    expect(await patch({ goal: { where: "tag:a" } })).toMatchObject({ body: { version: 2 } });
    expect((await remove()).status).toBe(204);
  });

  it("is kept while somebody is at a step of an earlier version", async () => {
    const {
      owner: author,
      news,
      id,
      subscribe,
      happen,
      work,
      pass,
      counts,
    } = await automationWorld(
      { steps: [wait("rest"), mailOf("late")], goal: { where: WHERE } },
      async (projectId, by) => {
        await newTopic(`/projects/${projectId}`, by);
      },
    );
    const [topic] = (await author.get<{ topics: { id: string }[] }>(`${news.path}/topics`)).body
      .topics;
    const remove = () => author.delete(`${news.path}/topics/${topic?.id ?? ""}`);
    const change = (subject: string) =>
      author.request("PATCH", `${news.path}/automations/${id}`, {
        steps: [wait("rest"), mailOf("late", { subject })],
        goal: {},
      });
    const [ann = "", ben = ""] = await subscribe(2);
    await allRows(`update subscribers set tags = '[]' where project_id = ?`, news.id);
    await allRows(
      `insert into topic_consents (topic_id, subscriber_id, state, since, by)
       select ?, value, 'subscribed', 1, 'api' from json_each(?)`,
      topic?.id ?? "",
      JSON.stringify([ann, ben]),
    );
    await happen("signed_up", [ann]);
    await work();
    expect(await change("A change")).toMatchObject({ status: 200, body: { version: 2 } });
    expect(await counts()).toMatchObject({ "rest in": 1 });
    expect(await remove()).toMatchObject(inConditions);
    await happen("signed_up", [ben]);
    await work();
    expect(await counts(2)).toMatchObject({ "rest in": 1 });
    await pass(DAY_MS);
    await pass(DAY_MS);
    expect(await counts()).toMatchObject({ "late completed": 1 });
    expect((await remove()).status).toBe(204);
  });

  it("is another one if it is that of another project, or in metadata that a step sets", async () => {
    const { path, patch, act } = await newWorld();
    const metadata = {
      where: WHERE,
      ways: [{ where: WHERE }],
      steps: { metadata: { where: WHERE } },
    };
    await patch({ steps: [branch("b", "tag:a", [{ id: "s", type: "set", metadata }])] });
    const theirs = await newWorld();
    await theirs.patch({ goal: { where: WHERE } });
    const [topic, other] = [await newTopic(path), await newTopic(theirs.path)];
    expect((await act("start")).status).toBe(200);
    expect((await topic.rename()).status).toBe(200);
    expect((await topic.remove()).status).toBe(204);
    expect(await other.remove()).toMatchObject(inConditions);
  });

  it("is kept if the automation is saved concurrently", async () => {
    const { path, patch } = await newWorld();
    const { remove } = await newTopic(path);
    service.d1.before = async (sql) => {
      if (!sql.some((statement) => statement.startsWith('delete from "topics"'))) return;
      service.d1.before = undefined;
      expect((await patch({ goal: { where: WHERE } })).status).toBe(200);
    };
    expect(await remove()).toMatchObject({ status: 409, body: { code: "topic_named_meanwhile" } });
  });
});

describe("a topic or segment whose id an automation has", () => {
  const names = '"Series"';
  const consents = (topic: string) => ({ id: "s", type: "set", topics: { [topic]: true } });

  it.each([
    ["trigger", (topic: string) => ({ trigger: { type: "topic", topic_id: topic } })],
    ["mail", (topic: string) => ({ steps: [mail("hi", { topic_id: topic })] })],
    ["step that sets consents", (topic: string) => ({ steps: [consents(topic)] })],
  ])("is kept as the topic of a %s until that is changed", async (_place, definition) => {
    const { path, patch, act } = await newWorld();
    const { id, remove, rename } = await newTopic(path);
    await patch(definition(id));
    for (const action of ["start", "pause", undefined]) {
      expect(await remove()).toMatchObject(refused("topic_in_use", { names }));
      if (action) expect((await act(action)).status).toBe(200);
    }
    expect((await rename()).status).toBe(200);
    await patch({ trigger: { type: "manual" }, steps: [mail("hi")] });
    expect((await remove()).status).toBe(204);
  });

  it("is kept while a mail with the topic waits", async () => {
    const { path, id, patch, act } = await newWorld();
    const topic = await newTopic(path);
    await patch({ steps: [mail("hi", { topic_id: topic.id })] });
    await act("start");
    await patch({ steps: [mail("hi")] });
    const [broadcast] = await allRows<{ id: string }>(
      "select id from broadcasts where automation_id = ? and automation_version = 1",
      id,
    );
    await insertRow("broadcast_chunks", {
      broadcast_id: broadcast?.id ?? "",
      after_id: "",
      until_id: "~",
      cursor_id: "",
      state: "pending",
      due_at: 8e12,
      lease_token: "",
      in_flight: "[]",
      again: "[]",
      deferred: "[]",
    });
    expect(await topic.remove()).toMatchObject(refused("topic_in_use", { names }));
    await allRows("delete from broadcast_chunks where broadcast_id = ?", broadcast?.id ?? "");
    expect((await topic.remove()).status).toBe(204);
  });

  it("is kept as the segment of a trigger until that is changed, even with people inside", async () => {
    const { path, id, patch, act } = await newWorld();
    const made = await owner.post<{ id: string }>(`${path}/segments`, {
      name: "S",
      where: "tag:a",
    });
    const segment = made.body.id;
    const remove = () => owner.delete(`${path}/segments/${segment}`);
    await patch({ trigger: { type: "segment", segment_id: segment }, steps: [wait("w")] });
    for (const action of ["start", "pause", undefined]) {
      expect(await remove()).toMatchObject(refused("segment_in_use", { names }));
      if (action) expect((await act(action)).status).toBe(200);
    }
    await storeCounts(id, { " in": 1, " out": 1, "w in": 1 });
    expect(await patch({ trigger: { type: "manual" } })).toMatchObject({ body: { version: 2 } });
    expect((await remove()).status).toBe(204);
  });
});

describe("a field", () => {
  it("names the automations that use it, and can be deleted", async () => {
    const { path, create, id, patch } = await newWorld();
    const uses = {
      "a condition": { steps: [branch("b", "plan:Pro")] },
      "its date": { trigger: { type: "date", field: "plan" } },
      "a step that sets it": { steps: [{ id: "s", type: "set", metadata: { plan: 1 } }] },
      "a mail": { steps: [mail("hi", { html_body: "<p>{{metadata.plan}}</p>" })] },
    };
    for (const [name, definition] of Object.entries(uses))
      await create({ name, trigger: { type: "manual" }, steps: [], ...definition });
    await patch({
      trigger: { type: "manual", where: "tag:plan" },
      steps: [
        { id: "s", type: "set", metadata: { where: "plan:Pro", planet: "plan" } },
        mail("plan", { html_body: "<p>{{metadata.planet}} plan</p>" }),
      ],
    });
    const other = await newWorld();
    await other.patch({ goal: { where: "plan:Pro" } });
    const made = await owner.post<{ id: string }>(`${path}/fields`, { key: "plan" });
    const one = `${path}/fields/${made.body.id}`;
    const found = await owner.get<{ uses: { kind: string; id: string; name: string }[] }>(one);
    expect(found.body.uses.map(({ kind, name }) => `${kind}: ${name}`).toSorted()).toEqual(
      Object.keys(uses)
        .map((name) => `automation: ${name}`)
        .toSorted(),
    );
    expect(found.body.uses.map((use) => use.id)).not.toContain(id);
    const subject = await owner.post<{ id: string }>(`${path}/fields`, { key: "subject" });
    expect((await owner.get(`${path}/fields/${subject.body.id}`)).body).toMatchObject({ uses: [] });
    expect((await owner.delete(one)).status).toBe(204);
  });
});
