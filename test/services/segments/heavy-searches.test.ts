/* Searches through many subscribers: their bounds, their turns and their steps. */
import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { createService, type Client } from "../../support/service.ts";

const service = createService();
const COUNT = 12_000;

/** The most rows that one statement may read: two for each of 5,000, and those of its access. */
const MOST_ROWS = 2 * 5_000 + 30;

/** A project with as many active subscribers, whose metadata has their number. */
async function newList(client: Client, count: number) {
  const { id } = await client.newProject();
  await env.DB.prepare(
    `insert into subscribers (id, project_id, email, name, status, metadata, source, tags, subscribed_at, created_at, updated_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
      select printf('%s%05x', substr(?1, 1, 31), i), ?1, printf('%05d@any.test', i), '', 'active', json_object('n', i), '', '[]', 1, 1, 1 from n`,
  )
    .bind(id, count)
    .run();
  return `/projects/${id}`;
}

/** Returns the rows that each round trip of a call reads. */
async function tripsOf(work: () => Promise<unknown>): Promise<number[]> {
  const trips: number[] = [];
  let before = 0;
  service.d1.reset();
  service.d1.after = () => {
    trips.push(service.d1.rowsRead - before);
    before = service.d1.rowsRead;
  };
  await work().finally(() => (service.d1.after = undefined));
  return trips;
}

describe("a search through many subscribers", () => {
  let client: Client;
  let path: string;
  const preview = (where: string, of = path) => client.post(`${of}/segments/preview`, { where });

  beforeAll(async () => {
    client = await service.newOwner();
    path = await newList(client, COUNT);
  });

  it.each([
    ["n>0", { count: 10_000, more: true }],
    ["n>2000", { count: 10_000, more: false }],
    ["n>11995", { count: 5, more: false }],
    ["status:unsubscribed", { count: 0, more: false }],
  ])("counts up to 10,000 in steps of 5,000: %s", async (where, counted) => {
    const trips = await tripsOf(async () =>
      expect(await preview(where)).toMatchObject({ status: 200, body: counted }),
    );
    expect(Math.max(...trips)).toBeLessThanOrEqual(MOST_ROWS);
  });

  it("chooses the subscribers of a bulk change in the same steps", async () => {
    const bulk = (where: string) =>
      client.post(`${path}/subscribers/bulk`, {
        action: "add_tags",
        tags: ["late"],
        filter: { where },
      });
    const trips = await tripsOf(async () =>
      expect((await bulk("n>11990")).body).toEqual({ changed: 10, more: false }),
    );
    expect(Math.max(...trips)).toBeLessThanOrEqual(MOST_ROWS);
    expect((await bulk("n>0")).body).toEqual({ changed: 1_000, more: true });
  });

  it("counts segments among the first 6,000 subscribers in the same steps", async () => {
    const mine = await newList(client, COUNT);
    const made = async (where: string) => {
      const { body } = await client.post(`${mine}/segments`, { name: where, where });
      return String(body["id"]);
    };
    const [all, few, one] = [
      await made("n>0"),
      await made("n>11990"),
      await made("email:00007@any.test"),
    ];
    const other = crypto.randomUUID();
    const counts = (ids: string[]) => client.post(`${mine}/segments/counts`, { segment_ids: ids });
    const trips = await tripsOf(async () =>
      expect((await counts([all, few, one, other])).body).toEqual({
        counts: expect.toSatisfy((list: { segment_id: string }[]) => {
          const found = new Map(list.map(({ segment_id, ...count }) => [segment_id, count]));
          expect(found.size).toBe(3);
          expect(found.get(all)).toEqual({ count: 6_001, more: true });
          expect(found.get(few)).toEqual({ count: 0, more: true });
          expect(found.get(one)).toEqual({ count: 1, more: false });
          return true;
        }),
      }),
    );
    expect(Math.max(...trips)).toBeLessThanOrEqual(MOST_ROWS);
    expect((await counts(Array.from({ length: 21 }, () => one))).status).toBe(400);
  });

  it("waits for earlier searches of its project", async () => {
    const mine = await newList(client, 6_100);
    await client.post(`${mine}/topics`, { name: "News" });
    // The first look of each search asks for the topic as well, and needs no turn.
    const isStep = (sql: string[]) => sql.length === 1 && sql[0]?.includes("as looked");
    let [open, most] = [0, 0];
    service.d1.before = (sql) => {
      if (isStep(sql)) most = Math.max(most, (open += 1));
    };
    service.d1.after = (sql) => {
      if (isStep(sql)) open -= 1;
    };
    const wanted = ["n<0", "n<-1", "n<-2"].map((where) => `${where} and not topic:News`);
    const answers = await Promise.all(wanted.map((where) => preview(where, mine)));
    service.d1.before = service.d1.after = undefined;
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([open, most]).toEqual([0, 1]);
  });

  it("is limited to ten a minute per project, regardless of its key's limit, while short ones continue", async () => {
    const mine = await newList(client, 1_100);
    const { body } = await client.post(`${mine}/api-keys`, {
      name: "fast",
      rate_limit_per_minute: 1_000,
    });
    const key = service.withKey(String(body["key"]));
    const ask = () => key.post(`${mine}/segments/preview`, { where: "n<0" });
    for (let n = 0; n < 10; n += 1) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused).toMatchObject({
      status: 429,
      body: { error: "at most 10 searches per minute through many subscribers" },
    });
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    const short = await key.post(`${mine}/segments/preview`, { where: "email:00001@any.test" });
    expect(short).toMatchObject({ status: 200, body: { count: 1 } });
  });
});
