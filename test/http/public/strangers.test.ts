/* What strangers may write into an audience: by public keys and by the waitlist (API reference §4.1). */
import { describe, expect, it } from "vitest";
import { allRows } from "../../support/rows.ts";
import { CAPTURING, createService, unique, type Service } from "../../support/service.ts";
import { HOUR, standingClock } from "../../support/times.ts";

const NOON = Date.UTC(2026, 4, 5, 12);
const clock = standingClock(NOON);
const MAIL_QUEUE = { sendBatch: async () => {} } as unknown as Service["env"]["MAIL_QUEUE"];
const service = createService({ MAIL_QUEUE }, { now: () => clock.now });
const owner = await service.newOwner();
const address = () => `${unique("joins")}@any.test`;

async function newList(settings: object = {}) {
  const { id } = await owner.newProject(CAPTURING);
  const path = `/projects/${id}`;
  const save = (changed: object) => owner.put(`${path}/audience-settings`, changed);
  expect(await save({ joins_per_day: 2, ...settings })).toMatchObject({ status: 200 });
  const withKey = async (type: string) => {
    const { body } = await owner.post(`${path}/api-keys`, { name: type, type });
    return service.withKey(String(body["key"]));
  };
  const [pk, sdk] = [await withKey("pk"), await withKey("sdk")];
  return {
    id,
    path,
    save,
    join: (email = address(), more: object = {}) => pk.post("/join", { email, ...more }),
    joinBySecret: (email = address()) => sdk.post("/join", { email }),
    wait: (email = address()) => service.anonymous.post(`${path}/waitlist`, { email }),
    add: (body: object) => owner.post(`${path}/subscribers`, { email: address(), ...body }),
    subscribers: () => allRows("select email from subscribers where project_id = ?", id),
    mails: () => allRows("select id from owed_mails where project_id = ?", id),
  };
}

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
const USED_UP = "today's limit of joins is reached: try again after midnight UTC";

describe("the daily limit of joins", () => {
  it("refuses further strangers until midnight UTC, before it stores or mails anything", async () => {
    const { join, wait, subscribers, mails } = await newList({ double_opt_in: true });
    expect([await statusOf(join()), await statusOf(wait())]).toEqual([201, 200]);
    clock.now = NOON + 11.5 * HOUR;
    const refused = await join();
    expect([refused.status, refused.body]).toEqual([429, { success: false, error: USED_UP }]);
    expect(refused.headers.get("Retry-After")).toBe("1800");
    const left = await wait();
    expect([left.status, left.body]).toEqual([429, { error: USED_UP }]);
    expect(left.headers.get("Retry-After")).toBe("1800");
    expect([(await subscribers()).length, (await mails()).length]).toEqual([2, 2]);
    clock.now = NOON + 12 * HOUR;
    expect([await statusOf(join()), await statusOf(wait())]).toEqual([201, 200]);
    expect(await statusOf(wait())).toBe(429);
  });

  it("holds neither for secret keys nor for members, whose joins do not count", async () => {
    const { join, joinBySecret, add } = await newList();
    expect([await statusOf(joinBySecret()), await statusOf(add({}))]).toEqual([201, 201]);
    expect([await statusOf(join()), await statusOf(join())]).toEqual([201, 201]);
    expect(await statusOf(join())).toBe(429);
    expect([await statusOf(joinBySecret()), await statusOf(add({}))]).toEqual([201, 201]);
  });

  it("counts joins that change something alone", async () => {
    const { path, join, add, save } = await newList({ joins_per_day: 4 });
    await owner.post(`${path}/topics`, { name: "News" });
    const [here, left] = [address(), address()];
    await add({ email: here });
    await add({ email: left, status: "unsubscribed" });
    for (let n = 0; n < 5; n += 1) expect(await statusOf(join(here))).toBe(409);
    expect(await statusOf(join(here, { topics: ["None"] }))).toBe(400);
    expect(await statusOf(join(left))).toBe(201);
    expect(await statusOf(join(here, { topics: ["News"] }))).toBe(201);
    await save({ double_opt_in: true });
    const asked = address();
    expect(await statusOf(join(asked))).toBe(201);
    expect(await statusOf(join(asked))).toBe(409); // asks for the mail once more
    expect(await statusOf(join())).toBe(429);
  });

  it("refuses those on the list alike, so that nobody learns who is on it", async () => {
    const { join, wait, add, mails } = await newList({ double_opt_in: true });
    const known = ["active", "pending", "unsubscribed"].map((status) => [status, address()]);
    for (const [status, email] of known) await add({ email, status });
    expect([await statusOf(join()), await statusOf(join())]).toEqual([201, 201]);
    for (const [, email] of known)
      expect([await statusOf(join(email)), await statusOf(wait(email))]).toEqual([429, 429]);
    expect(await mails()).toHaveLength(2);
  });

  it("holds for joins at once, new ones and those of people who have left", async () => {
    const { join, wait, add, subscribers } = await newList({ joins_per_day: 3 });
    const left = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const email = address();
        await add({ email, status: "unsubscribed" });
        return email;
      }),
    );
    const answers = await Promise.all([
      ...left.map((email) => join(email)),
      ...Array.from({ length: 4 }, () => wait()),
    ]);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    const [counted] = await allRows(
      `select sum(status <> 'unsubscribed') as n from subscribers where project_id in (
        select project_id from subscribers where email = ?)`,
      String((await subscribers())[0]?.["email"]),
    );
    expect(counted).toEqual({ n: 3 });
  });

  it("costs a join no round trip and one written row", async () => {
    const { join, joinBySecret } = await newList();
    const costs = [];
    for (const run of [joinBySecret, join]) {
      service.d1.reset();
      expect(await statusOf(run())).toBe(201);
      costs.push({ roundTrips: service.d1.roundTrips, rows: service.d1.rowsWritten });
    }
    const [secret = { roundTrips: 0, rows: 0 }, stranger] = costs;
    expect(stranger).toEqual({ ...secret, rows: secret.rows + 1 });
  });

  it("is 5,000 unless the settings of the audience change it", async () => {
    const { path, save } = await newList();
    for (const joins_per_day of [0, 1_000_001, 1.5, null])
      expect(await statusOf(save({ joins_per_day }))).toBe(400);
    expect((await save({ joins_per_day: 1_000_000 })).body).toMatchObject({
      joins_per_day: 1_000_000,
    });
    const other = await owner.newProject();
    const { body } = await owner.get(`/projects/${other.id}/audience-settings`);
    expect(body).toMatchObject({ joins_per_day: 5_000 });
    expect((await owner.get(`${path}/audience-settings`)).body).toMatchObject({
      joins_per_day: 1_000_000,
    });
  });
});
