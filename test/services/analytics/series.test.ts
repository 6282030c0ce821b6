/* The series of mails and unsubscriptions, which needs no licence (API reference §16.2). */
import { describe, expect, it } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { logEntry } from "../../support/log-entry.ts";
import { allRows } from "../../support/rows.ts";
import { createService } from "../../support/service.ts";
import { DAY, HOUR, iso, standingClock } from "../../support/times.ts";

const NOON = Date.UTC(2026, 9, 14, 12);
const MIDNIGHT = NOON - 12 * HOUR;
const clock = standingClock(NOON);
const service = createService({}, { now: () => clock.now });
const owner = await service.newOwner();

interface Point {
  bucket: string;
  [name: string]: number | string;
}
interface Series {
  from: string;
  to: string;
  granularity: string;
  series: Point[];
}

const NOTHING = {
  sent: 0,
  delivered: 0,
  failed: 0,
  bounced: 0,
  opened: 0,
  clicked: 0,
  unsubscribed: 0,
};

const askFor = (id: string, from: number, to: number) =>
  owner.get<Series>(`/projects/${id}/stats/series?from=${iso(from)}&to=${iso(to)}`);
/** The points with anything in them, by the time since midnight. */
const pointsOf = ({ series }: Series) =>
  series
    .filter(({ bucket: _bucket, ...counts }) => Object.values(counts).some((n) => n !== 0))
    .map(({ bucket, ...counts }) => [Date.parse(bucket) - MIDNIGHT, counts]);

async function newProjectWithMails() {
  const { id } = await owner.newProject();
  const deps = await service.deps();
  const mails = [
    logEntry(id, { sentAt: NOON - 30 * 60_000 }),
    logEntry(id, { sentAt: NOON }),
    logEntry(id, { sentAt: NOON + 1, status: "failed", error: "no" }),
    logEntry(id, { sentAt: NOON + 2, status: "bounced", error: "no" }),
    logEntry(id, { sentAt: NOON + 3, status: "suppressed", error: "no" }),
    logEntry(id, { sentAt: NOON - DAY }),
  ];
  for (const mail of mails) await runBatch(deps.db, appendLog(deps, id, [mail]));
  return id;
}

describe("GET /projects/{id}/stats/series", () => {
  it("counts mails by whole hours up to 48 hours, and by whole days beyond", async () => {
    const id = await newProjectWithMails();
    const hours = await askFor(id, NOON - HOUR / 2, NOON + 1);
    expect([hours.status, hours.body.granularity]).toEqual([200, "hour"]);
    expect([hours.body.from, hours.body.to]).toEqual([iso(NOON - HOUR), iso(NOON + HOUR)]);
    expect(hours.body.series).toHaveLength(2);
    const noon = { ...NOTHING, sent: 3, delivered: 1, failed: 1, bounced: 1 };
    expect(pointsOf(hours.body)).toEqual([
      [11 * HOUR, { ...NOTHING, sent: 1, delivered: 1 }],
      [12 * HOUR, noon],
    ]);
    const days = await askFor(id, NOON - 2 * DAY, NOON + DAY);
    expect([days.body.granularity, days.body.series.length]).toEqual(["day", 4]);
    expect(pointsOf(days.body)).toEqual([
      [-DAY, { ...NOTHING, sent: 1, delivered: 1 }],
      [0, { ...noon, sent: 4, delivered: 2 }],
    ]);
  });

  it("is 400 for a window whose last day or hour ends after the year 9999", async () => {
    const { id } = await owner.newProject();
    const end = Date.UTC(9999, 11, 31, 23);
    const message = "to: must be in the years 0 to 9999 (UTC)";
    for (const from of [end - HOUR, end - 9 * DAY])
      expect(await askFor(id, from, end + 1)).toMatchObject({
        status: 400,
        body: { error: message },
      });
    expect((await askFor(id, end - HOUR, end)).body.to).toBe(iso(end));
  });

  it("counts unsubscribes by link, by an edit and by a bulk change, once each", async () => {
    const { id } = await owner.newProject();
    const path = `/projects/${id}/subscribers`;
    const ids: string[] = [];
    for (let n = 0; n < 5; n++)
      ids.push(String((await owner.post(path, { email: `${n}@any.test` })).body["id"]));
    const [byLink, byEdit, ...many] = ids;
    for (let times = 0; times < 2; times++) {
      await service.fetch(`/unsubscribe/${id}/${byLink}`, { method: "POST" });
      await owner.request("PATCH", `${path}/${byEdit}`, { status: "unsubscribed" });
      const change = { action: "set_status", status: "unsubscribed", ids: many };
      await owner.post(`${path}/bulk`, change);
    }
    await owner.request("PATCH", `${path}/${byEdit}`, { status: "active" });
    clock.now = NOON + DAY;
    await owner.request("PATCH", `${path}/${byEdit}`, { status: "unsubscribed" });
    clock.now = NOON;
    const { body } = await askFor(id, MIDNIGHT, NOON + 3 * DAY);
    expect(pointsOf(body)).toEqual([
      [0, { ...NOTHING, unsubscribed: 5 }],
      [DAY, { ...NOTHING, unsubscribed: 1 }],
    ]);
    const hour = await askFor(id, NOON, NOON + 1);
    expect(pointsOf(hour.body)).toEqual([[12 * HOUR, { ...NOTHING, unsubscribed: 5 }]]);
  });

  it("costs one round trip, and one row per day", async () => {
    const { id } = await owner.newProject();
    await allRows(
      `insert into rollups (project_id, kind, grain, bucket_at, sent)
        with recursive n(i) as (select 0 union all select i + 1 from n where i < 4000)
        select ?, 'log', grain.value, ?2 - i * iif(grain.value = 'day', 86400000, 3600000), 1
        from n, json_each('["hour","day"]') grain`,
      id,
      MIDNIGHT,
    );
    service.d1.reset();
    const { body } = await askFor(id, MIDNIGHT - 365 * DAY, MIDNIGHT);
    expect([service.d1.roundTrips, body.granularity]).toEqual([1, "week"]);
    expect(service.d1.rowsRead).toBeLessThan(365 + 20);
    expect(body.series.reduce((sum, { sent }) => sum + Number(sent), 0)).toBe(365);
  });

  it("rejects an empty window and one of more than 731 days, without reading it", async () => {
    const { id } = await owner.newProject();
    expect(await askFor(id, NOON, NOON)).toMatchObject({
      status: 400,
      body: { error: "from: must be before to" },
    });
    expect(await askFor(id, NOON - 732 * DAY, NOON)).toMatchObject({
      status: 400,
      body: { error: "to: must be at most 731 days after from" },
    });
    expect((await owner.get(`/projects/${id}/stats/series`)).status).toBe(400);
  });
});

describe("GET /projects/{id}/stats/growth", () => {
  it("counts who joined, unsubscribed and was suppressed by day", async () => {
    const { id } = await owner.newProject();
    const path = `/projects/${id}`;
    const join = async (email: string) =>
      String((await owner.post(`${path}/subscribers`, { email })).body["id"]);
    clock.now = NOON - DAY;
    const left = await join("left@list.test");
    await join("stays@list.test");
    clock.now = NOON;
    await join("new@list.test");
    await owner.request("PATCH", `${path}/subscribers/${left}`, { status: "unsubscribed" });
    await owner.post(`${path}/suppressions`, { emails: ["lost@list.test"] });
    service.d1.reset();
    const { status, body } = await owner.get<Series & { is_complete: boolean }>(
      `${path}/stats/growth?from=${iso(NOON - 7 * DAY)}&to=${iso(NOON)}`,
    );
    expect([status, service.d1.roundTrips]).toEqual([200, 1]);
    expect(body).toMatchObject({ granularity: "day", is_complete: true });
    expect(body.series).toHaveLength(8);
    expect(pointsOf(body)).toEqual([
      [-DAY, { joined: 2, unsubscribed: 0, suppressed: 0 }],
      [0, { joined: 1, unsubscribed: 1, suppressed: 1 }],
    ]);
    const other = await owner.newProject();
    const { body: theirs } = await owner.get<Series>(
      `/projects/${other.id}/stats/growth?from=${iso(NOON - HOUR)}&to=${iso(NOON)}`,
    );
    expect([theirs.granularity, pointsOf(theirs)]).toEqual(["hour", []]);
    expect((await owner.get(`${path}/stats/growth?from=${iso(NOON)}&to=${iso(NOON)}`)).status).toBe(
      400,
    );
  });
});
