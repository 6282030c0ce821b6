/* The people whom the dashboard shows before a broadcast goes out, as the service previews them. */
import { expect, it } from "vitest";
import { audiencePreview } from "../../dashboard/src/pages/broadcasts/preflight/audience-preview.ts";
import { createService } from "../support/service.ts";

interface Draft {
  topic_id: string | null;
  segment_id: string | null;
  where: string | null;
  exclude_segment_ids: string[];
}

const owner = await createService().newOwner();

const terms = (count: number, word: string) =>
  Array.from({ length: count }, (_, n) => `n:${n}`).join(` ${word} `);

/** Adds a project with four people, a topic that Ann joined, and a segment of each condition. */
async function newList(...conditions: string[]) {
  const { id } = await owner.newProject();
  const path = `/projects/${id}`;
  const made = async (at: string, body: object) =>
    (await owner.post<{ id: string }>(path + at, body)).body.id;
  const add = (name: string, fields: object) =>
    made("/subscribers", { email: `${name}@any.test`, ...fields });
  const ann = await add("ann", { metadata: { n: 1 } });
  await add("bob", { metadata: { n: 2 } });
  await add("cid", { metadata: { n: 99 } });
  await add("dora", { metadata: { n: 1 }, status: "pending" });
  const topic = await made("/topics", { name: "News" });
  await owner.request("PUT", `${path}/subscribers/${ann}/topics`, { [topic]: "subscribed" });
  const segments = [];
  for (const [n, where] of conditions.entries())
    segments.push(await made("/segments", { name: `S${n}`, where }));
  /** Returns the names in the preview of a draft that the service accepts. */
  const peopleOf = async (fields: object) => {
    const draft = await owner.post<Draft>(`${path}/broadcasts`, { name: "May", ...fields });
    expect([draft.status, draft.body]).toEqual([201, expect.anything()]);
    const list = await owner.get<{ segments: { id: string; where: string }[] }>(`${path}/segments`);
    const body = audiencePreview(draft.body, list.body.segments);
    const preview = await owner.post<{ sample: { email: string }[] }>(
      `${path}/segments/preview`,
      body,
    );
    expect([body, preview.status]).toEqual([body, 200]);
    return preview.body.sample.map(({ email }) => email.split("@")[0] ?? "").toSorted();
  };
  return { topic, segments, peopleOf };
}

it("A draft has a preview of those who are active, whatever it is narrowed by", async () => {
  const { topic, segments, peopleOf } = await newList("n:1", 'n:2 or name:"x) or (y"');
  expect(await peopleOf({})).toEqual(["ann", "bob", "cid"]);
  expect(await peopleOf({ topic_id: topic })).toEqual(["ann"]);
  expect(await peopleOf({ segment_id: segments[1] })).toEqual(["bob"]);
  expect(await peopleOf({ exclude_segment_ids: segments })).toEqual(["cid"]);
  expect(await peopleOf({ segment_id: segments[1], where: "n:1 or n:2" })).toEqual(["bob"]);
  expect(await peopleOf({ where: "n:1 or n:2", exclude_segment_ids: [segments[0]] })).toEqual([
    "bob",
  ]);
});

it("A draft with all comparisons and characters of a condition has a preview, also with a topic and segments", async () => {
  const { topic, segments, peopleOf } = await newList(terms(5, "or"), terms(5, "and"));
  for (const count of [19, 20]) {
    expect(await peopleOf({ where: terms(count, "or") })).toEqual(["ann", "bob"]);
    expect(await peopleOf({ where: terms(count, "or"), topic_id: topic })).toEqual(["ann"]);
  }
  const [segment_id, excluded] = segments;
  const exclude_segment_ids = [excluded];
  const parts = { topic_id: topic, segment_id, exclude_segment_ids, where: terms(10, "or") };
  expect(await peopleOf(parts)).toEqual(["ann"]);
  const values = Array.from({ length: 10 }, () => "x".repeat(199));
  const where = `(n:1 or n:2) and not c:${values.join()}`.slice(0, 2_000);
  expect(where).toHaveLength(2_000);
  expect(await peopleOf({ where, topic_id: topic })).toEqual(["ann"]);
});
