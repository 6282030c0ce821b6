/* The ETag of the things that people edit in forms, and If-Match (API reference §10.5). */
import { describe, expect, it } from "vitest";
import { testLicense } from "../support/license.ts";
import { allRows } from "../support/rows.ts";
import { createService, unique } from "../support/service.ts";
import { standingClock } from "../support/times.ts";

/** A queue that delivers nothing: no event leaves the test. */
const QUIET = { send: async () => {}, sendBatch: async () => {} } as unknown as Queue<never>;
// The clock stands still: two changes in one millisecond are two versions.
const clock = standingClock(Date.UTC(2026, 9, 1, 12));
const settings = { ...(await testLicense("team")), WEBHOOK_QUEUE: QUIET };
const service = createService(settings, { now: () => clock.now });
const owner = await service.newOwner();
const project = `/projects/${(await owner.newProject()).id}`;

/** The kinds of things: where one is made, its body, and two changes. */
const THINGS: [what: string, list: string, body: () => object, one: object, other: object][] = [
  [
    "topic",
    `${project}/topics`,
    () => ({ name: unique("topic") }),
    { description: "One" },
    { description: "Other" },
  ],
  [
    "segment",
    `${project}/segments`,
    () => ({ name: unique("segment"), where: "tag:vip" }),
    { where: "tag:one" },
    { where: "tag:other" },
  ],
  [
    "webhook",
    `${project}/webhooks`,
    () => ({ url: "https://one.example.com/hook" }),
    { events: ["email.sent"] },
    { url: "https://other.example.com/hook", active: false },
  ],
  [
    "subscriber",
    `${project}/subscribers`,
    () => ({ email: `${unique("ann")}@any.test`, metadata: { note: 'é "\n😀', n: 1.5 } }),
    { name: "One", tags: ["vip"] },
    { name: "Other", status: "unsubscribed", metadata: { plan: "pro" } },
  ],
  ["workspace", "/workspaces", () => ({ name: "Shop" }), { name: "One" }, { name: "Other" }],
];

const patch = (path: string, body: object, tag?: string) =>
  owner.request("PATCH", path, body, tag === undefined ? {} : { "If-Match": tag });

describe.each(THINGS)("a %s", (what, list, body, one, other) => {
  const make = async () => {
    const { body: made, headers } = await owner.post<{ id: string }>(list, body());
    return { id: made.id, path: `${list}/${made.id}`, tag: headers.get("ETag") ?? "" };
  };

  it("has an ETag that each change replaces, even within one millisecond", async () => {
    const { path, tag } = await make();
    const tagOf = async () => (await owner.get(path)).headers.get("ETag");
    expect([tag, await tagOf()]).toEqual([expect.stringMatching(/^"\w+"$/), tag]);
    const changed = await patch(path, one, tag);
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject(one);
    const second = changed.headers.get("ETag");
    expect([second === tag, await tagOf()]).toEqual([false, second]);
    expect((await patch(path, other)).status).toBe(200);
    expect([tag, second]).not.toContain(await tagOf());
  });

  it("accepts the first of two changes with the same ETag, and the second changes nothing", async () => {
    const { id, path, tag } = await make();
    const answers = await Promise.all([patch(path, one, tag), patch(path, other, tag)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    const [taken] = answers.filter(({ status }) => status === 200);
    const [refused] = answers.filter(({ status }) => status === 412);
    expect(refused?.body).toMatchObject({
      error: `the ${what} has changed: its ETag no longer matches`,
    });
    const state = async () => [
      (await owner.get(path)).body,
      await allRows("select id from audit_entries where target_id = ?", id),
    ];
    const before = await state();
    expect(before[0]).toMatchObject(taken?.body ?? {});
    for (const stale of [tag, '"x"', '""', "", `W/${tag}`])
      expect((await patch(path, { ...one, ...other }, stale)).status).toBe(412);
    expect(await state()).toEqual(before);
    const now = taken?.headers.get("ETag");
    expect((await patch(path, one, `${tag}, W/${now}`)).status).toBe(200);
    expect((await patch(path, other, "*")).status).toBe(200);
  });

  it("costs no additional round trip to the database", async () => {
    const { path, tag } = await make();
    const tripsOf = async (change: object, given?: string) => {
      service.d1.reset();
      expect((await patch(path, change, given)).status).toBe(200);
      return service.d1.roundTrips;
    };
    const [withTag, without] = [await tripsOf(one, tag), await tripsOf(other)];
    expect(withTag).toBe(without);
  });

  it("that is deleted gets 404, whatever the ETag", async () => {
    const { path, tag } = await make();
    await owner.delete(path);
    expect((await patch(path, one, tag)).status).toBe(404);
  });
});

describe("a stale ETag", () => {
  it("gets 412 even if the name is taken, or a condition refers to the topic by name", async () => {
    const taken = unique("topic");
    const named = unique("topic");
    await owner.post(`${project}/topics`, { name: taken });
    const { body, headers } = await owner.post(`${project}/topics`, { name: named });
    const path = `${project}/topics/${String(body["id"])}`;
    await patch(path, { description: "Changed" });
    const where = `topic:"${named}"`;
    const rename = () => patch(path, { name: taken }, headers.get("ETag") ?? "");
    expect((await rename()).status).toBe(412);
    await owner.post(`${project}/segments`, { name: unique("segment"), where });
    expect((await rename()).status).toBe(412);
    expect((await patch(path, { name: taken })).status).toBe(409);
  });
});

describe("a subscriber", () => {
  it("keeps its ETag when an open is recorded, and gets a new one after a bulk change", async () => {
    const email = `${unique("ann")}@any.test`;
    const { body, headers } = await owner.post(`${project}/subscribers`, { email });
    const id = String(body["id"]);
    const path = `${project}/subscribers/${id}`;
    const first = headers.get("ETag") ?? "";
    await allRows("update subscribers set last_opened_at = 1, updated_at = 1 where id = ?", id);
    expect((await patch(path, { tags: ["big fans"] }, first)).status).toBe(200);
    const bulk = { action: "add_tags", tags: ["müde fans"], ids: [id] };
    const tag = (await owner.get(path)).headers.get("ETag") ?? "";
    const { body: done } = await owner.post(`${project}/subscribers/bulk`, bulk);
    expect(done["changed"]).toBe(1);
    expect((await patch(path, { name: "Ann" }, tag)).status).toBe(412);
    const now = (await owner.get(path)).headers.get("ETag") ?? "";
    expect((await patch(path, { name: "Ann" }, now)).status).toBe(200);
  });

  it("is changed atomically: its fields, tags, status, counts and events", async () => {
    const { id: projectId } = await owner.newProject();
    const at = `/projects/${projectId}`;
    await owner.post(`${at}/webhooks`, { url: "https://one.example.com/hook" });
    const given = { email: `${unique("ben")}@any.test`, tags: ["vip"] };
    const { body, headers } = await owner.post(`${at}/subscribers`, given);
    const path = `${at}/subscribers/${String(body["id"])}`;
    const tag = headers.get("ETag") ?? "";
    const edit = (word: string) =>
      patch(path, { name: word, tags: [word], status: "unsubscribed" }, tag);
    const answers = await Promise.all([edit("one"), edit("other")]);
    const [taken, ...more] = answers.filter(({ status }) => status === 200);
    const name = taken?.body["name"];
    expect([more, (await owner.get(path)).body]).toMatchObject([[], { name, tags: [name] }]);
    const rows = (sql: string) => allRows(sql, projectId);
    expect(await rows("select tag from subscriber_tags where project_id = ?")).toEqual([
      { tag: name },
    ]);
    const events = "select event_type as type from webhook_deliveries where project_id = ?";
    expect(await rows(`${events} order by event_type`)).toEqual([
      { type: "subscriber.created" },
      { type: "subscriber.unsubscribed" },
      { type: "subscriber.updated" },
    ]);
    const counts =
      "select subscribers_unsubscribed as n from project_counters where project_id = ?";
    expect(await rows(counts)).toEqual([{ n: 1 }]);
  });
});
