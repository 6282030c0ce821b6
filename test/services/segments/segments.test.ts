/* Segments, their previews, and the tags of subscribers (API reference §12.8 and §12.10). */
import { env } from "cloudflare:test";
import { sql, type SQL } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { readAhead, type Page } from "../../../src/services/broadcasts/claim-queries.ts";
import { stretch } from "../../../src/services/broadcasts/plan-queries.ts";
import { sizeOf } from "../../../src/services/broadcasts/queries.ts";
import { selectMembers } from "../../../src/services/broadcasts/recipient-queries.ts";
import { audienceOf, compileWhere, parseCondition } from "../../../src/services/segments/index.ts";
import { allRows } from "../../support/rows.ts";
import { createService, unique, type Client } from "../../support/service.ts";
import { storeBroadcast, WHOLE_CHUNK } from "../../support/stored-broadcasts.ts";

interface Subscriber {
  id: string;
  email: string;
  tags: string[];
  updated_at: string;
}
interface Segment {
  id: string;
  name: string;
  where: string;
  condition: Record<string, unknown>;
}
interface Preview {
  count: number;
  sample: Subscriber[];
}

const service = createService();
const owner = await service.newOwner();
const address = () => `${unique("s")}@any.test`;

async function newList(client = owner) {
  const { id } = await client.newProject();
  const path = `/projects/${id}`;
  const add = async (body: Record<string, unknown> = {}) => {
    const answer = await client.post<Subscriber>(`${path}/subscribers`, {
      email: address(),
      ...body,
    });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const patch = (subscriberId: string, body: unknown) =>
    client.request<Subscriber>("PATCH", `${path}/subscribers/${subscriberId}`, body);
  const preview = (where: unknown) => client.post<Preview>(`${path}/segments/preview`, { where });
  const count = async (where: unknown) => (await preview(where)).body.count;
  const bulk = async (body: unknown) =>
    (await client.post<{ changed: number; more: boolean }>(`${path}/subscribers/bulk`, body)).body;
  const list = async (query: string) =>
    (await client.get<{ subscribers: Subscriber[]; total: number }>(`${path}/subscribers?${query}`))
      .body;
  return { id, path, add, patch, preview, count, bulk, list };
}

/** The tags in the rows of subscribers and those of the index, which must always agree. */
async function tagsOf(projectId: string): Promise<string[]> {
  const rows = await allRows<{ at: string }>(
    "select own.value || ' ' || s.id as at from subscribers s, json_each(s.tags) own where s.project_id = ? order by 1",
    projectId,
  );
  const index = await allRows<{ at: string }>(
    "select tag || ' ' || subscriber_id as at from subscriber_tags where project_id = ? order by 1",
    projectId,
  );
  expect(index).toEqual(rows);
  return rows.map(({ at }) => at);
}

describe("a segment", () => {
  it("is saved, listed by name, changed and deleted", async () => {
    const { path } = await newList();
    const where = ' TAG:"VIP"  and not (Status:active OR metadata.country=DE)';
    const created = await owner.post<Segment>(`${path}/segments`, { name: "B", where });
    expect([created.status, created.body.where]).toEqual([
      201,
      "tag:vip and not (status:active or country:DE)",
    ]);
    const json = { field: "metadata.age", op: ">=", values: ["18"] };
    const other = await owner.post<Segment>(`${path}/segments`, { name: "A", where: json });
    expect(other.body).toMatchObject({ where: "age>=18", condition: json });
    const list = await owner.get<{ segments: Segment[] }>(`${path}/segments`);
    expect(list.body.segments.map(({ name }) => name)).toEqual(["A", "B"]);
    const item = `${path}/segments/${created.body.id}`;
    expect((await owner.post(`${path}/segments`, { name: "A", where })).status).toBe(409);
    expect((await owner.request("PATCH", item, { name: "A" })).status).toBe(409);
    const changed = await owner.request<Segment>("PATCH", item, { where: created.body.condition });
    expect(changed.body.where).toBe(created.body.where);
    expect((await owner.request("PATCH", item, {})).status).toBe(400);
    expect((await owner.request("DELETE", item)).status).toBe(204);
    expect((await owner.get(item)).status).toBe(404);
  });

  it("is limited to 200 per project, and cannot be read by another project", async () => {
    const { id, path } = await newList();
    await env.DB.prepare(
      `insert into segments with recursive n(i) as (select 1 union all select i + 1 from n where i < 199)
        select ?1 || i, ?1, 'S' || i, 'tag:a', 1, 1 from n`,
    )
      .bind(id)
      .run();
    const last = await owner.post<Segment>(`${path}/segments`, { name: "last", where: "tag:a" });
    expect(last.status).toBe(201);
    const more = await owner.post(`${path}/segments`, { name: "more", where: "tag:a" });
    expect(more).toMatchObject({
      status: 409,
      body: { code: "too_many_segments", params: { max: 200 } },
    });
    const stranger = await service.newOwner();
    const theirs = await newList(stranger);
    const other = `${theirs.path}/segments/${last.body.id}`;
    for (const call of [
      stranger.get(other),
      stranger.request("PATCH", other, { name: "x" }),
      stranger.request("DELETE", other),
    ])
      expect((await call).status).toBe(404);
  });

  it.each([
    ["", "at character 1: expected a condition, as in tag:vip"],
    ["tag:", 'at character 5: a value is missing after ":"'],
    ["tag:vip opened:9d", 'at character 9: expected "and", "or" or the end of the condition'],
    ["(tag:a and tag:b", 'at character 17: expected "and", "or" or ")"'],
    ["👍🏽:a or created:soon", "at character 1: expected a field, as in tag:vip"],
    [
      "é:👍 or opened:soon",
      "at character 15: opened takes a span such as opened:30d, or a day such as opened<2026-01-31",
    ],
    ["mailed:91d", "at character 8: the longest span of mailed is 90d"],
    ["status:gone", "at character 8: status must be one of active, pending, unsubscribed"],
    ["age>=old", "at character 1: compare with a number, a day such as 2026-01-31 or a timestamp"],
    ["created<2026-02-30", "at character 9: compare with a day such as 2026-01-31 or a timestamp"],
    ["n:>5", "at character 3: write n>5; a value that begins with > needs double quotes"],
    ["tag:a and n:>= 5", "at character 13: write n>=5; a value that begins with >= needs"],
    ["n!=<5", "at character 4: write n<5; a value that begins with < needs double quotes"],
    ["n:1,<=5", "at character 5: write n<=5; a value that begins with <= needs double quotes"],
    ["n==5", "at character 3: write n=5; a value that begins with = needs double quotes"],
    ["tag:!=a", "at character 5: write tag!=a; a value that begins with != needs double quotes"],
    ["created:>2026-01-31", "at character 9: write created>2026-01-31; a value"],
    ["name:>5", "at character 6: a value that begins with > needs double quotes"],
    ['name:"Ann', "at character 6: the quote is not closed"],
    ["a:b*c", 'at character 5: expected "and", "or" or the end of the condition'],
    [
      Array.from({ length: 21 }, () => "a:1").join(" or "),
      "at character 141: at most 20 comparisons",
    ],
    [
      `${"(".repeat(11)}a:1${")".repeat(11)}`,
      "at character 11: at most 10 nested parentheses and nots",
    ],
    ["x".repeat(2_001), "at character 1: at most 2000 characters"],
    [{ and: [] }, "and: must have 1 to 20 conditions"],
    [{ and: [{ field: "tag", op: "is" }] }, "and.0: tag needs one value"],
    [{ not: { field: "tag", op: "like", values: ["%"] } }, "not.op: must be one of"],
    [{ field: "__proto__", op: "is", values: ["x"] }, "there is no field __proto__"],
    [7, "must be a text or an object"],
  ])("that is invalid is rejected, and the error says where: %j", async (where, error) => {
    const { path } = await newList();
    const answer = await owner.post(`${path}/segments/preview`, { where });
    expect([answer.status, answer.body["error"]]).toEqual([
      400,
      expect.stringContaining(`where: ${error}`),
    ]);
  });
});

describe("a preview", () => {
  it("treats an operator in double quotes, in a part and in JSON as text", async () => {
    const { add, count, path } = await newList();
    await add({ metadata: { n: ">5", m: "a=>5" } });
    await add({ metadata: { n: 7, m: "!x" } });
    const json = { field: "metadata.n", op: "is", values: [">5"] };
    for (const where of ['n:">5"', 'n:1,">5"', "m:*>5", "m:*=*", json, "not n>5"])
      expect([where, await count(where)]).toEqual([where, 1]);
    expect([await count("n>5"), await count("m:!x")]).toEqual([1, 1]);
    const saved = await owner.post<Segment>(`${path}/segments`, { name: "A", where: json });
    expect(saved.body).toMatchObject({ where: 'n:">5"', condition: json });
  });

  it("counts the matching subscribers, and shows ten of them, newest first", async () => {
    const { add, preview, count } = await newList();
    const emails: string[] = [];
    for (let i = 0; i < 12; i++)
      emails.push((await add({ metadata: { n: i }, tags: ["t"] })).email);
    await add({ status: "pending" });
    const { status, body } = await preview("n>=1");
    expect([status, body.count]).toEqual([200, 11]);
    const sample = body.sample.map(({ email }) => email);
    expect(sample).toHaveLength(10);
    expect(
      emails
        .slice(1)
        .toReversed()
        .filter((email) => sample.includes(email)),
    ).toEqual(sample);
    expect(await count("tag:t and n<3")).toBe(3);
    expect(await count("status:active or status:pending")).toBe(13);
    expect(await count("not tag:t")).toBe(1);
    expect(await preview("tag:none")).toMatchObject({ body: { count: 0, sample: [] } });
  });

  it("also applies a status and a topic to a condition, which may have all of its 20 comparisons", async () => {
    const { add, path } = await newList();
    const { body: topic } = await owner.post<{ id: string }>(`${path}/topics`, { name: "News" });
    const consents = { [topic.id]: "subscribed" };
    const [reader] = [await add({ metadata: { n: 1 } }), await add({ metadata: { n: 1 } })];
    const waiting = await add({ metadata: { n: 1 }, status: "pending" });
    const other = await add({ metadata: { n: 2 } });
    for (const { id } of [reader, waiting, other])
      await owner.request("PUT", `${path}/subscribers/${id}/topics`, consents);
    const body = { where: Array.from({ length: 20 }, () => "n:1").join(" and ") };
    const preview = async (beside: object) =>
      (await owner.post<Preview>(`${path}/segments/preview`, { ...body, ...beside })).body;
    expect((await preview({})).count).toBe(3);
    expect((await preview({ status: "active" })).count).toBe(2);
    expect((await preview({ topic_id: topic.id })).count).toBe(2);
    const both = await preview({ status: "active", topic_id: topic.id });
    expect([both.count, both.sample.map(({ id }) => id)]).toEqual([1, [reader.id]]);
    expect(await preview({ topic_id: crypto.randomUUID() })).toMatchObject({
      error: expect.stringContaining("topic"),
    });
  });

  it("finds no subscribers of another project", async () => {
    const [one, other] = [await newList(), await newList(await service.newOwner())];
    await other.add({ tags: ["vip"] });
    for (const where of ["tag:vip", "not tag:x", "status:active", "tag:vip or tag:other"])
      expect(await one.count(where)).toBe(0);
  });
});

describe("the tags of a subscriber", () => {
  it("are stored in lower case, deduplicated and sorted, with one index row each", async () => {
    const { id, add, patch } = await newList();
    const { id: own, tags } = await add({
      tags: [" VIP ", "a b", "vip", "KÖLN", "\u{1f600}", "\ue000"],
    });
    expect(tags).toEqual(
      ["a b", "köln", "vip"].slice(0, 1).concat(["köln", "vip", "\ue000", "\u{1f600}"]),
    );
    expect(await tagsOf(id)).toHaveLength(5);
    expect((await patch(own, { tags: ["vip", "new"] })).body.tags).toEqual(["new", "vip"]);
    expect(await tagsOf(id)).toEqual([`new ${own}`, `vip ${own}`]);
    const { updated_at } = (await patch(own, { name: "Ann" })).body;
    expect((await patch(own, { tags: ["new", "vip"] })).body).toMatchObject({ updated_at });
    expect((await patch(own, { tags: [] })).body.tags).toEqual([]);
    expect(await tagsOf(id)).toEqual([]);
  });

  it.each([
    [
      ["a,b"],
      "tags.0: must have 1 to 64 characters and no commas, quotes, backslashes or control characters",
    ],
    [
      ['a"b'],
      "tags.0: must have 1 to 64 characters and no commas, quotes, backslashes or control characters",
    ],
    [
      [" "],
      "tags.0: must have 1 to 64 characters and no commas, quotes, backslashes or control characters",
    ],
    [
      ["x".repeat(65)],
      "tags.0: must have 1 to 64 characters and no commas, quotes, backslashes or control characters",
    ],
    [Array.from({ length: 51 }, (_, n) => `t${n}`), "tags: must have at most 50 entries"],
    ["vip", "tags: must be a list"],
  ])("that are invalid are rejected: %j", async (tags, error) => {
    const { path } = await newList();
    const answer = await owner.post(`${path}/subscribers`, { email: address(), tags });
    expect([answer.status, answer.body["error"]]).toEqual([400, error]);
  });

  it("stay unchanged if the address of the edit is another subscriber's", async () => {
    const { id, add, patch } = await newList();
    const [one, other] = [await add({ tags: ["a"] }), await add()];
    expect((await patch(one.id, { email: other.email, tags: ["b"] })).status).toBe(409);
    expect(await tagsOf(id)).toEqual([`a ${one.id}`]);
  });

  it("are imported, from CSV with commas between them or as an export writes them", async () => {
    const { id, path } = await newList();
    const [first, second, third] = [address(), address(), address()];
    const json = [{ email: first, tags: ["B", "a"] }, { email: second }];
    await owner.post(`${path}/subscribers/import`, json);
    const csv = `email,tags\n${third},"x, Y ,,"\n${first},z\n`;
    const sent = await owner.request("POST", `${path}/subscribers/import`, csv, {
      "Content-Type": "text/csv",
    });
    expect(sent.body).toMatchObject({ imported: 1, skipped: 1 });
    expect((await tagsOf(id)).map((at) => at.split(" ")[0])).toEqual(["a", "b", "x", "y"]);
    const exported = await service.fetch(`/api/v1${path}/subscribers?tag=b`, {
      headers: { Cookie: owner.cookie, Accept: "text/csv" },
    });
    const text = await exported.text();
    expect(text).toContain('"[""a"",""b""]"');
    const copy = await newList();
    await owner.request("POST", `${copy.path}/subscribers/import`, text, {
      "Content-Type": "text/csv",
    });
    expect((await copy.list("tag=b")).subscribers.map(({ tags }) => tags)).toEqual([["a", "b"]]);
  });

  it("filter the list with a status or a search, newest first, with the total", async () => {
    const { add, list } = await newList();
    const [a, , c] = [
      await add({ tags: ["t"] }),
      await add(),
      await add({ tags: ["t"], status: "pending" }),
    ];
    const idsOf = async (query: string) => {
      const { subscribers, total } = await list(query);
      return [total, ...subscribers.map(({ id }) => id)];
    };
    expect(await idsOf("tag=T")).toEqual([2, c.id, a.id]);
    expect(await idsOf("tag=t&sort=created_at")).toEqual([2, a.id, c.id]);
    expect(await idsOf("tag=t&status=active")).toEqual([1, a.id]);
    expect(await idsOf(`tag=t&search=${a.email}`)).toEqual([1, a.id]);
    expect(await idsOf("tag=none")).toEqual([0]);
  });

  it("are added to and removed from many at once, a thousand at a time", async () => {
    const { id, add, bulk, list } = await newList();
    const people = [await add({ tags: ["a"] }), await add(), await add({ status: "pending" })];
    const ids = people.map((one) => one.id);
    const tags = ["a", "b"];
    expect(await bulk({ action: "add_tags", tags, filter: { status: "active" } })).toEqual({
      changed: 2,
      more: false,
    });
    expect((await list("tag=b")).total).toBe(2);
    expect(await bulk({ action: "add_tags", tags, ids })).toEqual({ changed: 1, more: false });
    expect(await bulk({ action: "add_tags", tags, filter: { all: true } })).toEqual({
      changed: 0,
      more: false,
    });
    expect(await tagsOf(id)).toHaveLength(6);
    expect(
      await bulk({ action: "remove_tags", tags: ["a", "none"], filter: { tag: "a" } }),
    ).toEqual({ changed: 3, more: false });
    expect((await tagsOf(id)).every((at) => at.startsWith("b "))).toBe(true);
    const where = "tag:b and status:active";
    const change = { action: "remove_tags", tags: ["b"], filter: { where } };
    expect(await bulk(change)).toEqual({ changed: 2, more: false });
    expect(await tagsOf(id)).toHaveLength(1);
    expect(await bulk({ action: "add_tags", tags: ["b"], filter: { where: "not tag:b" } })).toEqual(
      { changed: 2, more: false },
    );
    expect(await bulk({ action: "delete", filter: { tag: "b" } })).toEqual({
      changed: 3,
      more: false,
    });
    expect(await tagsOf(id)).toEqual([]);
  });

  it("are limited to 50, even when added to many", async () => {
    const { id, add, bulk } = await newList();
    const full = Array.from({ length: 49 }, (_, n) => `t${n}`);
    const [one] = [await add({ tags: full }), await add({ tags: ["t0"] })];
    expect(await bulk({ action: "add_tags", tags: ["x", "y"], filter: { all: true } })).toEqual({
      changed: 1,
      more: false,
    });
    expect((await tagsOf(id)).filter((at) => at.endsWith(one.id))).toHaveLength(49);
  });

  it("of another project's subscribers cannot be changed by id", async () => {
    const [mine, theirs] = [await newList(), await newList(await service.newOwner())];
    const { id } = await theirs.add({ tags: ["a"] });
    expect(await mine.bulk({ action: "remove_tags", tags: ["a"], ids: [id] })).toEqual({
      changed: 0,
      more: false,
    });
    expect(await mine.bulk({ action: "add_tags", tags: ["b"], ids: [id] })).toEqual({
      changed: 0,
      more: false,
    });
    expect(await tagsOf(theirs.id)).toEqual([`a ${id}`]);
  });

  it("are deleted with their subscriber, and are listed with their counts until then", async () => {
    const { id, path, add } = await newList();
    const one = await add({ tags: ["b", "a"] });
    await add({ tags: ["b", "100%"] });
    const tags = async () => (await owner.get(`${path}/tags`)).body["tags"];
    expect(await tags()).toEqual([
      { name: "100%", count: 1 },
      { name: "a", count: 1 },
      { name: "b", count: 2 },
    ]);
    await owner.request("DELETE", `${path}/subscribers/${one.id}`);
    expect(await tags()).toEqual([
      { name: "100%", count: 1 },
      { name: "b", count: 1 },
    ]);
    expect(await tagsOf(id)).toHaveLength(2);
  });
});

describe("the cost of a condition", () => {
  const COUNT = 3_000;
  /** The subscribers who consent to the topic. */
  const CONSENTS = 100;
  const UUID = "printf('01900000-0000-7000-8000-5e9%09x', i)";
  const TOPIC = "01900000-0000-7000-8000-700000000001";
  let client: Client;
  let path: string;
  let projectId: string;

  beforeAll(async () => {
    client = await service.newOwner();
    const { id } = await client.newProject();
    path = `/projects/${id}`;
    projectId = id;
    const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${COUNT})`;
    for (const statement of [
      `insert into subscribers (id, project_id, email, name, status, metadata, source, tags, subscribed_at, created_at, updated_at)
        ${numbers} select ${UUID}, ?1, i || '@any.test', '', 'active', json_object('n', i, 'list', json_array('a', 'b')), iif(i % 300 = 0, 'few', 'many'),
          iif(i % 300 = 0, '["rare","t"]', '["t"]'), 1, 1, 1 from n`,
      `insert into subscriber_tags ${numbers} select ?1, 't', ${UUID} from n`,
      `insert into subscriber_tags ${numbers} select ?1, 'rare', ${UUID} from n where i % 300 = 0`,
      `insert into topics (id, project_id, name, description, created_at, updated_at)
        values ('${TOPIC}', ?1, 'Few', '', 1, 1), ('none' || ?1, ?1, 'None', '', 1, 1)`,
      `insert into topic_consents (topic_id, subscriber_id, state, since, by)
        ${numbers} select '${TOPIC}', ${UUID}, 'subscribed', ?1 is null, 'member' from n where i % ${COUNT / CONSENTS} = 0`,
      `insert into subscriber_mailings ${numbers} select ?1, unixepoch() * 1000, min(${UUID}), max(${UUID}), json_group_array(${UUID})
        from n group by i / 64`,
    ])
      await env.DB.prepare(statement).bind(id).run();
  }, 60_000);

  const idAt = (i: number) => `01900000-0000-7000-8000-5e9${i.toString(16).padStart(9, "0")}`;

  /** Makes a broadcast of which the last hundred subscribers are not planned. */
  const newBroadcast = () =>
    storeBroadcast(service, {
      project_id: projectId,
      planned_id: idAt(2_900),
      cutoff_id: idAt(COUNT),
      audience_where: "mailed:7d",
    });

  it.each([
    ["n>5 and not n:7", 2 * COUNT],
    ["status:active and (tag:rare or n<10) and not opened:90d", 2 * COUNT],
    ["not mailed:7d", 5 * COUNT + 200], // one for each mail in the span, two for the range of ids
    ["tag:t", 2 * COUNT],
    ["tag:rare", 20],
    ["status:active and n>0 and tag:rare and not opened:30d", 20],
    ["tag:rare or tag:none", 20],
    ["topic:few", 3 * CONSENTS],
    ["n>0 and topic:few,none", 3 * CONSENTS],
    ["topic:few or topic:none", 3 * CONSENTS],
    ["source:few", 20],
    ["status:unsubscribed", 20],
    ["status:unsubscribed and n>0", 620], // with the keys of the newest
    ["email:7@any.test", 2],
    ["n>0 and email:7@any.test,8@any.test,none@any.test", 20],
    ["email:7@any.test or email:8@any.test", 20],
    ["email:77*", 40],
    ["n>0 and email:77* and not n:777", 40],
    ["country:DE", 2 * COUNT + 600], // with the keys of the newest
    ["name:ann* or x:DE", 2 * COUNT + 600],
  ])(
    "is at most two rows for each subscriber that it checks, three for a topic: %s",
    async (where, rows) => {
      service.d1.reset();
      const { status, body } = await client.post<Preview>(`${path}/segments/preview`, { where });
      const { rowsRead, rowsWritten } = service.d1;
      expect([status, rowsWritten]).toEqual([200, 0]);
      expect(rowsRead).toBeLessThanOrEqual(rows + 3 * body.sample.length + 30);
    },
  );

  it("is a few rows per address for a plan by a list of addresses", async () => {
    const { db } = await service.deps();
    const where = parseCondition("n>0 and email:7@any.test,8@any.test,none@any.test");
    const { from, where: fits, id } = audienceOf(where, { projectId, now: Date.now() });
    service.d1.reset();
    const found = await db.all(
      sql`select ${id} as id from ${from} where ${fits} and status = 'active' order by ${id} limit 100`,
    );
    expect([found.length, service.d1.rowsRead < 20]).toEqual([2, true]);
  });

  it.each(["tag:t and n>0", "status:active and n>5", "n>5", "tag:rare", "source:few"])(
    "is two rows per entry for a stretch of an audience, regardless of its start: %s",
    async (where) => {
      const { db } = await service.deps();
      const audience = audienceOf(parseCondition(where), { projectId, now: Date.now() });
      const { from, where: fits, id } = audience;
      for (const after of ["", "01900000-0000-7000-8000-5e9000000800"]) {
        service.d1.reset();
        const found = await db.all<{ id: string }>(
          sql`select ${id} as id from ${from} where ${fits} and status = 'active' and ${id} > ${after}
            order by ${id} limit 100`,
        );
        expect(found.length).toBeGreaterThan(2);
        expect(service.d1.rowsRead).toBeLessThanOrEqual(2 * 100 + 10);
      }
    },
  );

  it("for mailings in a range of ids is those of the batches that overlap it", async () => {
    const { db } = await service.deps();
    const range = { first: idAt(1_000), last: idAt(1_033) };
    const countOf = async (within: typeof range | undefined) => {
      const fits = compileWhere(projectId, "mailed:7d", Date.now(), within);
      service.d1.reset();
      const [row] = await db.all<{ n: number }>(
        sql`select count(*) as n from subscribers where project_id = ${projectId} and status = 'active' and ${fits}
          and id >= ${range.first} and id <= ${range.last}`,
      );
      return [row?.n, service.d1.rowsRead < 400];
    };
    expect(await countOf(range)).toEqual([34, true]);
    expect(await countOf(undefined)).toEqual([34, false]);
  });

  it("for a claim and for a stretch of planning is the mailings of their own range of ids", async () => {
    const { db } = await service.deps();
    const broadcast = await newBroadcast();
    const costOf = async (read: () => Promise<string[]>) => {
      service.d1.reset();
      return [(await read()).length, service.d1.rowsRead < 500];
    };
    const claimed = (page: Page) => async () => {
      const recipients = await readAhead(db, broadcast, page, WHOLE_CHUNK);
      return recipients.map((one) => one.id);
    };
    const range = { kind: "range", after: idAt(1_000), to: idAt(1_033), size: 50 } as const;
    expect(await costOf(claimed(range))).toEqual([33, true]);
    const ids = Array.from({ length: 33 }, (_, n) => idAt(1_033 - n));
    expect(await costOf(claimed({ kind: "ids", ids, size: 50 }))).toEqual([33, true]);
    const named = async () => (await selectMembers(db, broadcast, ids)).map((one) => one.id);
    expect(await costOf(named)).toEqual([33, true]);
    const planned = async () =>
      (await db.all<{ id: string }>(sql`${stretch(broadcast)} limit 500`)).map((one) => one.id);
    expect(await costOf(planned)).toEqual([100, true]);
  });

  it("is two rows per match for a topic: for the count, the sample, the size and the plan of its audience", async () => {
    const { db } = await service.deps();
    const broadcast = await newBroadcast();
    const costOf = async (query: SQL) => {
      service.d1.reset();
      const found = await db.all<{ n?: number }>(query);
      return [found[0]?.n ?? found.length, service.d1.rowsRead];
    };
    const within = (count: number) => [count, expect.toSatisfy((rows) => rows <= 2 * count + 10)];
    for (const where of ["topic:few", "topic:few,none", "n>0 and topic:few"]) {
      const setting = { projectId, now: Date.now(), inAnyOrder: true };
      const { from, where: fits, id } = audienceOf(parseCondition(where), setting);
      const sample = sql`select ${id} as id from ${from} where ${fits} limit 10`;
      expect(await costOf(sample)).toEqual(within(10));
      const size = sizeOf({ ...broadcast, audienceWhere: where });
      expect(await costOf(sql`select ${size} as n`)).toEqual(within(CONSENTS));
    }
    const ofTopic = { ...broadcast, plannedId: "", topicId: TOPIC };
    for (const audienceWhere of [null, "n>0"]) {
      const one = { ...ofTopic, audienceWhere };
      expect(await costOf(sql`select ${sizeOf(one)} as n`)).toEqual(within(CONSENTS));
      expect(await costOf(sql`${stretch(one)} limit 500`)).toEqual(within(CONSENTS));
      expect(await costOf(sql`${stretch(one)} limit 20`)).toEqual(within(20));
    }
  });

  it("for the list of tags is what it counts, and for a page of a tag three rows per entry", async () => {
    service.d1.reset();
    expect((await client.get(`${path}/tags`)).body["tags"]).toEqual([
      { name: "rare", count: 10 },
      { name: "t", count: 1_000 },
    ]);
    expect(service.d1.rowsRead).toBeLessThanOrEqual(1_050);
    service.d1.reset();
    await client.get(`${path}/subscribers?tag=t&limit=50&after=`);
    expect(service.d1.rowsRead).toBeLessThanOrEqual(2 * COUNT + 4 * 51 + 30);
  });
});
