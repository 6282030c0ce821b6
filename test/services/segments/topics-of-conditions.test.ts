/* Conditions that name topics (API reference §12.5, §12.9 and §11.11). */
import { describe, expect, it } from "vitest";
import { draftWorld, type Draft } from "../../support/drafting.ts";
import { allRows } from "../../support/rows.ts";

const AFTER_UNDO_MS = 16_000;

/** A draft, a topic and short ways to name it in conditions. */
async function namingWorld() {
  const world = await draftWorld(1);
  const { owner, news, one, at } = world;
  const { path } = news;
  const made = async (things: string, body: object) =>
    String((await owner.post(`${path}/${things}`, body)).body["id"]);
  const topic = await made("topics", { name: "Product news" });
  const segment = (where: string) => made("segments", { name: "Readers", where });
  const setWhere = (where: string) => owner.request("PATCH", one, { where });
  const rename = (name: string) => owner.request("PATCH", `${path}/topics/${topic}`, { name });
  const remove = () => owner.delete(`${path}/topics/${topic}`);
  /** Removes the topic as no call does, so that conditions lose it. */
  const lose = () => allRows("delete from topics where id = ?", topic);
  return { ...world, owner, at, path, topic, segment, setWhere, rename, remove, lose };
}

const unknown = (name: string, field = "where") => ({
  status: 400,
  body: { details: [{ path: field, code: "no_such_topic", params: { name } }] },
});

describe("a condition with a topic that the project does not have", () => {
  it("is rejected wherever a caller provides one, and nothing changes", async () => {
    const { owner, path, at, one, segment, setWhere, look, service } = await namingWorld();
    const id = await segment("tag:a");
    const where = 'tag:a or not topic:"Product news",typo';
    const calls = [
      owner.post(`${path}/segments`, { name: "New", where }),
      owner.request("PATCH", `${path}/segments/${id}`, { where }),
      owner.post(`${path}/segments/preview`, { where }),
      owner.post(at, { name: "June", where }),
      setWhere(where),
    ];
    for (const call of calls) expect(await call).toMatchObject(unknown("typo"));
    const json = { not: { field: "topic", op: "is", values: ["other"] } };
    expect(await owner.post(`${path}/segments/preview`, { where: json })).toMatchObject(
      unknown("other"),
    );
    const bulk = { action: "delete", filter: { where: "not topic:typo" } };
    const changed = await owner.post(`${path}/subscribers/bulk`, bulk);
    expect(changed).toMatchObject(unknown("typo", "filter.where"));
    const secret = await owner.post(`${path}/api-keys`, { name: "s", type: "sdk" });
    const keyed = service.withKey(String(secret.body["key"]));
    for (const call of [
      keyed.post("/segments", { name: "New", where }),
      keyed.post("/segments/preview", { where }),
      keyed.post("/broadcasts", { name: "June", where }),
    ])
      expect(await call).toMatchObject(unknown("typo"));
    expect((await owner.get(`${path}/segments`)).body["segments"]).toMatchObject([
      { name: "Readers", where: "tag:a" },
    ]);
    expect(await look()).toMatchObject({ where: null });
    expect((await owner.get(`${path}/subscribers`)).body["subscribers"]).toHaveLength(1);
    expect((await owner.get<Draft>(one)).status).toBe(200);
  });

  it("is accepted with the id or name of a topic, case-insensitively", async () => {
    const { owner, path, topic, setWhere } = await namingWorld();
    for (const name of [topic, topic.toUpperCase(), '"PRODUCT news"', '"Product news"'])
      expect((await setWhere(`not topic:${name}`)).status).toBe(200);
    const other = await owner.newProject();
    const foreign = await owner.post(`/projects/${other.id}/topics`, { name: "Theirs" });
    const theirs = String(foreign.body["id"]);
    expect(await setWhere("not topic:theirs")).toMatchObject(unknown("theirs"));
    expect(await setWhere(`not topic:${theirs}`)).toMatchObject(unknown(theirs));
    expect((await owner.get(`${path}/topics`)).status).toBe(200);
  });

  it("is looked up in an existing round trip", async () => {
    const { owner, path, service } = await namingWorld();
    const tripsOf = async (call: () => Promise<unknown>) => {
      await call();
      service.d1.reset();
      await call();
      return service.d1.roundTrips;
    };
    const preview = (where: string) => () => owner.post(`${path}/segments/preview`, { where });
    const create = (where: string) => () =>
      owner.post(`${path}/segments`, { name: crypto.randomUUID(), where });
    const named = 'not topic:"product news"';
    expect(await tripsOf(preview(named))).toBe(await tripsOf(preview("not tag:a")));
    expect(await tripsOf(create(named))).toBe(await tripsOf(create("not tag:a")));
  });
});

describe("a topic used in a condition", () => {
  it("is not deleted while a segment, a draft or a broadcast that has not ended uses it", async () => {
    const {
      owner,
      path,
      setWhere,
      segment,
      remove,
      start,
      pass,
      look,
      exec,
      id: broadcastId,
    } = await namingWorld();
    const refused = (places: string) => ({
      status: 409,
      body: { code: "topic_in_conditions", params: { places } },
    });
    const id = await segment('tag:a or not topic:"product NEWS"');
    await setWhere('topic:"Product news" and not tag:gone');
    expect(await remove()).toMatchObject(refused('segment "Readers", broadcast "May"'));
    await owner.delete(`${path}/segments/${id}`);
    expect(await remove()).toMatchObject(refused('broadcast "May"'));
    await setWhere('not topic:"Product news"');
    expect((await start()).status).toBe(202);
    expect(await remove()).toMatchObject(refused('broadcast "May"'));
    await exec(
      "update broadcasts set state = 'sending', kind = 'broadcast', plan_due_at = 0 where id = ?",
      broadcastId,
    );
    expect(await remove()).toMatchObject(refused('broadcast "May"'));
    await exec(
      "update broadcasts set state = 'scheduled', kind = 'draft', plan_due_at = 1 where id = ?",
      broadcastId,
    );
    await pass(AFTER_UNDO_MS);
    expect(await look()).toMatchObject({ state: "done", sent: 1 });
    await segment('name:"Product news" or tag:topic');
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
  });

  it("cannot be renamed if the condition uses its name, but can if the condition uses its id", async () => {
    const { owner, path, topic, segment, rename } = await namingWorld();
    const id = await segment('not topic:"Product news"');
    expect(await rename("Letters")).toMatchObject({
      status: 409,
      body: {
        code: "topic_name_in_conditions",
        params: { places: 'segment "Readers"', id: topic },
      },
    });
    expect((await rename("PRODUCT NEWS")).status).toBe(200);
    const description = { description: "Once a month" };
    expect((await owner.request("PATCH", `${path}/topics/${topic}`, description)).status).toBe(200);
    await owner.request("PATCH", `${path}/segments/${id}`, { where: `not topic:${topic}` });
    expect(await rename("Letters")).toMatchObject({ status: 200, body: { name: "Letters" } });
  });

  it("is not deleted or renamed if such a condition is added concurrently", async () => {
    const { owner, path, remove, rename, service } = await namingWorld();
    let n = 0;
    const saveBefore = (write: string) => {
      service.d1.before = async (sql) => {
        if (!sql.some((statement) => statement.startsWith(write))) return;
        service.d1.before = undefined;
        n += 1;
        const where = `not topic:"Product news" and n>${n}`;
        const saved = await owner.post(`${path}/segments`, { name: `S${n}`, where });
        expect(saved.status).toBe(201);
      };
    };
    const again = {
      status: 409,
      body: { code: "topic_named_meanwhile" },
    };
    saveBefore('delete from "topics"');
    expect(await remove()).toMatchObject(again);
    await allRows("delete from segments where name = 'S1'");
    saveBefore('update "topics"');
    expect(await rename("Letters")).toMatchObject(again);
    expect((await owner.get(`${path}/topics`)).body["topics"]).toMatchObject([
      { name: "Product news" },
    ]);
  });
});

describe("a condition that has lost its topic", () => {
  it("stops the start, which names the topic, unless accept contains unknown_topic", async () => {
    const { owner, one, setWhere, lose, look } = await namingWorld();
    await setWhere('not topic:"Product news"');
    await lose();
    const problem = {
      code: "unknown_topic",
      params: { name: "Product news" },
      grade: "stop",
      message:
        'the condition names a topic that the project does not have: "Product news". It matches no one, and with `not` everyone',
      fix_in: "audience",
    };
    const flight = await owner.post(`${one}/preflight`);
    expect(flight.body["problems"]).toContainEqual(problem);
    const others = { accept: ["similar_broadcast"] };
    expect(await owner.post(`${one}/start`, others)).toMatchObject({
      status: 409,
      body: { problems: [problem] },
    });
    expect(await look()).toMatchObject({ state: "draft" });
    expect((await owner.request("PATCH", one, { name: "June" })).status).toBe(200);
    const all = { accept: ["similar_broadcast", "unknown_topic"] };
    expect((await owner.post(`${one}/start`, all)).status).toBe(202);
  });

  it("also stops the start through the condition of a segment, even in a scheduled broadcast", async () => {
    const { owner, one, segment, lose, start } = await namingWorld();
    const id = await segment('not topic:"Product news"');
    await lose();
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    expect((await owner.request("PATCH", one, { send_at: sendAt })).status).toBe(200);
    expect((await start()).status).toBe(202);
    const change = { segment_id: id };
    const refused = await owner.request("PATCH", one, change);
    expect(refused).toMatchObject({ status: 409, body: { problems: [{ code: "unknown_topic" }] } });
    const accepted = { ...change, accept: ["unknown_topic"] };
    expect((await owner.request("PATCH", one, accepted)).status).toBe(200);
  });
});
