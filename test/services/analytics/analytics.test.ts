import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { runBatch } from "../../../src/db/client.ts";
import { LOG_STATUSES } from "../../../src/db/schema/index.ts";
import { floorTo } from "../../../src/lib/durations.ts";
import { ulidFloor, uuidAt } from "../../../src/lib/ids.ts";
import { appendLog } from "../../../src/services/email-log/index.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { logEntry } from "../../support/log-entry.ts";
import { testLicense } from "../../support/license.ts";
import { createService, unique, type Client } from "../../support/service.ts";
import { DAY, HOUR, iso, MINUTE } from "../../support/times.ts";

const NOON = Date.UTC(2026, 4, 10, 12);

const license = await testLicense("pro");
const service = createService({ ...license, LOG_RETENTION_DAYS: "90" }, { now: () => NOON });
const deps = await service.deps();
let owner: Client;
beforeAll(async () => {
  owner = await service.newOwner();
});

interface OverviewBody {
  granularity: string;
  range_days: number;
  total_sent: number;
  total_opened: number;
  opens_series: { bucket: string; opens: number }[];
  top_templates: { template_id: string; name: string; sends: number }[];
  top_clicked_links: { url: string; clicks: number }[];
  sends_by_status: { status: string; count: number }[];
  previous: { total_sent: number; total_opened: number };
}

const overview = (projectId: string, from: number, to: number, by = owner) =>
  by.get<OverviewBody>(`/projects/${projectId}/analytics/overview?from=${iso(from)}&to=${iso(to)}`);

/** Logs accepted mails and returns their ids. */
async function logMails(projectId: string, times: number[]) {
  const entries = times.map((sentAt) => logEntry(projectId, { id: uuidAt(sentAt), sentAt }));
  await runBatch(deps.db, appendLog(deps, projectId, entries));
  return entries.map(({ id }) => id);
}

const open = (logId: string, at: number) =>
  recordEvents(deps, [
    { kind: "open", id: ulidFloor(at), logId, at, userAgent: "", ipAddress: "192.0.2.1" },
  ]);

describe("GET /projects/{id}/analytics/overview", () => {
  it("contains every field, each zero, for a new project", async () => {
    const { id } = await owner.newProject();
    const nothing = {
      total_sent: 0,
      total_failed: 0,
      total_opened: 0,
      total_clicked: 0,
      deliverability_pct: 0,
      open_rate_pct: 0,
      click_rate_pct: 0,
    };
    const { status, body } = await overview(id, NOON - HOUR, NOON);
    expect(status).toBe(200);
    expect(body).toEqual({
      from: iso(NOON - HOUR),
      to: iso(NOON),
      granularity: "hour",
      range_days: 1,
      ...nothing,
      click_to_open_pct: 0,
      active_subscribers: 0,
      opens_series: [{ bucket: iso(NOON - HOUR), opens: 0 }],
      top_templates: [],
      top_clicked_links: [],
      sends_by_status: LOG_STATUSES.map((status) => ({ status, count: 0 })),
      previous: nothing,
    });
  });

  it.each([
    ["from=2026-05-10T00:00:00Z", "to"],
    ["to=2026-05-10T00:00:00Z", "from"],
    ["from=2026-05-10&to=2026-05-11T00:00:00Z", "from"],
    ["from=2026-05-10T00:00:00Z&to=tomorrow", "to"],
    ["from=2026-05-10T00:00:00Z&to=2026-05-10T00:00:00Z", "from"],
    ["from=2026-05-10T00:00:00.001Z&to=2026-05-10T00:00:00Z", "from"],
    ["from=2016-05-10T00:00:00Z&to=2026-05-10T00:00:00.001Z", "to"],
  ])("answers 400 to ?%s and names %s", async (query, field) => {
    const { id } = await owner.newProject();
    expect(await owner.get(`/projects/${id}/analytics/overview?${query}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(`^${field}: `) },
    });
  });

  it("accepts ten years, and times with any offset", async () => {
    const { id } = await owner.newProject();
    const query = "from=2016-05-10T02:00:00%2B02:00&to=2026-05-10T00:00:00Z";
    expect(await owner.get(`/projects/${id}/analytics/overview?${query}`)).toMatchObject({
      status: 200,
      body: { from: "2016-05-10T00:00:00.000Z", range_days: 3_652, granularity: "month" },
    });
  });

  it("requires a license in cloud mode, and none in self-hosted mode", async () => {
    const { id } = await owner.newProject();
    const cookie = { Cookie: owner.cookie };
    const range = `from=${iso(NOON - HOUR)}&to=${iso(NOON)}`;
    const ask = (mode: string, what: string) =>
      createService({ DEPLOYMENT_MODE: mode }, { now: () => NOON }).anonymous.request(
        "GET",
        `/projects/${id}/analytics/${what}?${range}`,
        undefined,
        cookie,
      );
    for (const what of ["overview", "refusals"]) {
      expect(await ask("cloud", what)).toMatchObject({
        status: 402,
        body: { error: "license required for analytics" },
      });
      expect(await ask("self_hosted", what)).toMatchObject({ status: 200 });
    }
  });

  it.each([
    [48 * HOUR, "hour", 49, 2],
    [48 * HOUR + 1, "day", 3, 3],
    [90 * DAY, "day", 91, 90],
    [90 * DAY + 1, "week", 13, 91],
    [731 * DAY, "week", 105, 731],
    [731 * DAY + 1, "month", 25, 732],
  ])("divides %i ms by the %s into %i buckets", async (length, granularity, buckets, days) => {
    const { id } = await owner.newProject();
    const { body } = await overview(id, NOON + MINUTE - length, NOON + MINUTE);
    expect(body).toMatchObject({ granularity, range_days: days });
    expect(body.opens_series).toHaveLength(buckets);
    const starts = body.opens_series.map(({ bucket }) => new Date(bucket));
    const rest = granularity === "hour" ? HOUR : DAY;
    expect(starts.filter((at) => at.getTime() % rest !== 0)).toEqual([]);
    const weekdays = new Set(starts.map((at) => at.getUTCDay()));
    const days1 = new Set(starts.map((at) => at.getUTCDate()));
    if (granularity === "week") expect(weekdays).toEqual(new Set([1]));
    if (granularity === "month") expect(days1).toEqual(new Set([1]));
  });

  it("counts opens when they happened and each mail when it was sent", async () => {
    const { id } = await owner.newProject();
    const noon = NOON - DAY;
    const [first = "", second = ""] = await logMails(id, [noon - 3 * HOUR, noon - 1]);
    await open(first, noon + 90 * MINUTE);
    await open(second, noon - 1 + 10_000);
    const early = (await overview(id, noon - 3 * HOUR, noon)).body;
    expect(early).toMatchObject({ total_sent: 2, total_opened: 2 });
    expect(early.opens_series.map(({ opens }) => opens)).toEqual([0, 0, 0]);
    const late = (await overview(id, noon, noon + 90 * MINUTE)).body;
    expect(late).toMatchObject({ total_sent: 0, total_opened: 0 });
    expect(late.opens_series.map(({ opens }) => opens)).toEqual([1, 0]);
    expect(late.previous).toMatchObject({ total_sent: 1, total_opened: 1 });
    expect((await overview(id, noon, noon + 90 * MINUTE + 1)).body.opens_series[1]?.opens).toBe(1);
  });

  it("counts currently active subscribers, regardless of the window", async () => {
    const { id } = await owner.newProject();
    for (const name of ["a", "b"])
      await owner.post(`/projects/${id}/subscribers`, { email: `${unique(name)}@people.test` });
    expect((await overview(id, NOON - 9 * DAY, NOON - 8 * DAY)).body).toMatchObject({
      active_subscribers: 2,
    });
  });

  it("counts full hours where retention has removed the mails", async () => {
    const { id } = await owner.newProject();
    const removed = NOON - 100 * DAY;
    const ids = await logMails(
      id,
      [5, 25, 35, 55].map((minute) => removed + minute * MINUTE),
    );
    for (const logId of ids)
      await env.DB.prepare("delete from logged_mails where id = ?").bind(logId).run();
    const sent = async (from: number, to: number) =>
      (await overview(id, removed + from * MINUTE, removed + to * MINUTE)).body.total_sent;
    expect(await sent(0, 60)).toBe(4);
    expect(await sent(20, 40)).toBe(4);
    expect(await sent(40, 70)).toBe(4);
    expect(await sent(-40, 0)).toBe(0);
  });

  it("ranks templates over the whole window, even with many mails at its edge", async () => {
    const { id } = await owner.newProject();
    const end = NOON - 3 * DAY + 29 * MINUTE;
    const month = Array.from({ length: 30 }, (_, day) => NOON - (4 + day) * DAY);
    const burst = Array.from({ length: 900 }, (_, n) => end - 1 - n * 1_000);
    const [ofTheMonth, ofTheEdge] = [crypto.randomUUID(), crypto.randomUUID()];
    const entries = [
      ...month.map((sentAt) => logEntry(id, { sentAt, templateId: ofTheMonth })),
      ...burst.map((sentAt) => logEntry(id, { sentAt, templateId: ofTheEdge })),
    ];
    await runBatch(deps.db, appendLog(deps, id, entries));
    service.d1.reset();
    const { body } = await overview(id, end - 31 * DAY, end);
    expect(service.d1.rowsRead).toBeLessThan(5_000);
    expect(body.top_templates).toEqual([
      { template_id: ofTheEdge, name: "", sends: 900 },
      { template_id: ofTheMonth, name: "", sends: 30 },
    ]);
  });

  it("shows nothing of another project", async () => {
    const [mine, other] = [await owner.newProject(), await owner.newProject()];
    await logMails(other.id, [NOON - MINUTE]);
    expect((await overview(mine.id, NOON - HOUR, NOON)).body.total_sent).toBe(0);
    const stranger = await service.newOwner();
    expect((await overview(mine.id, NOON - HOUR, NOON, stranger)).status).toBe(403);
  });
});

describe("an edge of an overview", () => {
  /** A clock near the beginning of its hour puts every time nearest to that hour. */
  const NOW = NOON + 25 * MINUTE;
  const current = createService({ ...license, LOG_RETENTION_DAYS: "90" }, { now: () => NOW });
  /** More rows than an overview of at most a year ever reads. */
  const MAX_ROWS_READ = 14_000;
  let client: Client;
  beforeAll(async () => {
    client = await current.newOwner();
  });

  const seen = async (projectId: string, from: number, to: number) => {
    current.d1.reset();
    const { body } = await overview(projectId, from, to, client);
    return { ...body, rowsRead: current.d1.rowsRead, roundTrips: current.d1.roundTrips };
  };
  /** Spreads `count` times evenly over the half hour from `at` on. */
  const halfHour = (at: number, count: number) =>
    Array.from({ length: count }, (_, n) => at + Math.floor((n * 30 * MINUTE) / count));
  const openAll = (ids: string[], at: number) =>
    recordEvents(
      deps,
      ids.map((logId) => ({
        kind: "open",
        id: ulidFloor(at),
        logId,
        at,
        userAgent: "",
        ipAddress: "192.0.2.1",
      })),
    );

  it.each([
    ["now", 0],
    ["a moment later", 1],
    ["in the same hour", 34 * MINUTE],
    ["in an hour to come", 3 * HOUR + MINUTE],
    ["in days to come", 40 * DAY],
  ])("reads nothing of the log %s and counts everything", async (_, later) => {
    const [quiet, busy] = [await client.newProject(), await client.newProject()];
    await logMails(quiet.id, [NOON - MINUTE, NOON + MINUTE]);
    const ids = await logMails(busy.id, halfHour(NOON - 5 * MINUTE, 600));
    await logMails(busy.id, [NOON - 3 * MINUTE, NOW - 1, NOW, NOW + 4]);
    await openAll(ids.slice(-50), NOW - 1_000);
    await openAll(ids.slice(0, 3), NOW + 5);
    const { rowsRead } = await seen(quiet.id, NOON - 4 * HOUR, NOW + later);
    const all = await seen(busy.id, NOON - 4 * HOUR, NOW + later);
    expect(all).toMatchObject({ total_sent: 604, total_opened: 53 });
    expect(all.opens_series.reduce((sum, { opens }) => sum + opens, 0)).toBe(53);
    // An empty range may touch the next row, whichever project owns it.
    expect(Math.abs(all.rowsRead - rowsRead)).toBeLessThan(10);
  });

  it("is exact to the millisecond", async () => {
    const { id } = await client.newProject();
    const ids = await logMails(id, halfHour(NOON - 6 * MINUTE, 800));
    const late = await logMails(id, [NOW - 501, NOW - 500, NOW - 1]);
    await openAll(ids.slice(0, 5), NOW - 501);
    await openAll(late.slice(1), NOW - 1);
    const moment = await seen(id, NOON - 4 * HOUR, NOW - 500);
    expect(moment).toMatchObject({ total_sent: 801, total_opened: 5 });
    expect(moment.opens_series.at(-1)?.opens).toBe(5);
    const rest = await seen(id, NOW - 500, NOW);
    expect(rest).toMatchObject({ total_sent: 2, total_opened: 2, previous: { total_sent: 1 } });
  });

  it("counts an hour of more than 1,000 mails in full", async () => {
    const { id } = await client.newProject();
    const dense = NOON - DAY;
    await logMails(id, [...halfHour(dense, 500), ...halfHour(dense + 30 * MINUTE, 500)]);
    const sentOf = async (from: number, to: number) => {
      const body = await seen(id, dense + from * MINUTE, dense + to * MINUTE);
      return [body.total_sent, body.previous.total_sent];
    };
    expect(await sentOf(-60, 15)).toEqual([250, 0]);
    expect(await sentOf(-60, 45)).toEqual([750, 0]);
    expect(await sentOf(15, 30)).toEqual([250, 250]);
    expect(await sentOf(15, 75)).toEqual([750, 250]);
    expect(await sentOf(45, 90)).toEqual([250, 750]);
    await logMails(id, [dense + 30 * MINUTE]);
    expect(await sentOf(-60, 15)).toEqual([1_001, 0]);
    expect(await sentOf(15, 30)).toEqual([1_001, 1_001]);
    expect(await sentOf(45, 90)).toEqual([1_001, 1_001]);
  });

  it("costs a bounded number of rows, regardless of the mails in its hour", async () => {
    const { id } = await client.newProject();
    const [before, from, to] = [NOON - 9 * DAY, NOON - 5 * DAY, NOON - DAY].map(
      (hour) => hour + 30 * MINUTE,
    ) as [number, number, number];
    for (const edge of [before, from, to]) {
      const ids = await logMails(id, halfHour(edge - 30 * MINUTE, 1_000));
      await openAll(ids, edge - 1);
    }
    const full = await seen(id, from - 1, to - 1);
    expect(full).toMatchObject({ total_sent: 1_000, total_opened: 1_000, roundTrips: 2 });
    expect(full.rowsRead).toBeGreaterThan(3_000);
    expect(full.rowsRead).toBeLessThan(MAX_ROWS_READ);
    for (const edge of [before, from, to]) await logMails(id, [edge]);
    const dense = await seen(id, from - 1, to - 1);
    expect(dense).toMatchObject({ total_sent: 2_002, previous: { total_sent: 2_002 } });
    expect(dense.rowsRead).toBeLessThan(3_000);
    await logMails(id, halfHour(to - 30 * MINUTE, 3_000));
    expect((await seen(id, from - 1, to - 1)).rowsRead).toBeLessThan(dense.rowsRead + 100);
  });
});

describe("a log of 200,000 entries", { timeout: 180_000 }, () => {
  const START = NOON - 90 * DAY;
  const ROWS = 200_000;
  const CHUNK = 100_000;
  let big = "";
  let small = "";

  /** Writes mails of 90 days and their rollups in SQL alone: 200 templates, opens, links. */
  async function fill(projectId: string, count: number, links: number) {
    const mark = crypto.randomUUID().slice(0, 24);
    for (let first = 0; first < count; first += CHUNK)
      await env.DB.prepare(
        `insert into log_entries (id, project_id, to_email, subject, status, template_id, sent_at, opened_at)
          with recursive n(i) as (select ?3 union all select i + 1 from n where i + 1 < ?4)
          select unhex(?2 || printf('%012d', i), '-'), unhex(?1, '-'), 'r' || (i % 5000) || '@any.test', 'Hello',
            case i % 10 when 0 then 1 when 1 then 2 when 2 then 3 else 0 end,
            unhex(printf('00000000000040008000%012d', i / 10 % 200)), ?5 + cast(i * ?6 as integer),
            case when i % 3 = 0 then ?5 + cast(i * ?6 as integer) + 600000 end from n`,
      )
        .bind(projectId, mark, first, Math.min(first + CHUNK, count), START, (90 * DAY) / count)
        .run();
    const totals = LOG_STATUSES.map((_, n) => `sum(status = ${n})`).join();
    const grains = { hour: HOUR, day: DAY };
    for (const [grain, length] of Object.entries(grains)) {
      const run = (text: string) => env.DB.prepare(text).bind(projectId, grain, length).run();
      await run(
        `insert into rollups (project_id, kind, grain, bucket_at, ${LOG_STATUSES.join()}, opened)
          select ?1, 'log', ?2, sent_at - sent_at % ?3 as bucket, ${totals}, count(opened_at)
          from log_entries where project_id = unhex(?1, '-') group by bucket`,
      );
      await run(
        `insert into rollups (project_id, kind, grain, bucket_at, opens)
          select ?1, 'log', ?2, opened_at - opened_at % ?3 as bucket, count(*)
          from log_entries where project_id = unhex(?1, '-') and opened_at is not null group by bucket
          on conflict do update set opens = excluded.opens`,
      );
      await run(
        `insert into rollups (project_id, kind, grain, bucket_at, subject, sent)
          select ?1, 'template', ?2, sent_at - sent_at % ?3 as bucket, '00000000-0000-4000-8000-' || substr(hex(template_id), 21), count(*)
          from log_entries where project_id = unhex(?1, '-') and status = 0 group by bucket, template_id`,
      );
      await env.DB.prepare(
        `insert into rollups (project_id, kind, grain, bucket_at, subject, label, clicks)
          with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ?5),
            clicks as (select i, ?4 + cast(i * ?6 as integer) as at from n)
          select ?1, 'link', ?2, at - at % ?3, 'hash' || i, 'https://shop.test/offer?for=' || i, 1 from clicks
          union all
          select distinct ?1, 'link', ?2, at - at % ?3, 'hash', 'https://shop.test/', 1000 from clicks`,
      )
        .bind(projectId, grain, length, START, links, (90 * DAY) / links)
        .run();
    }
  }

  beforeAll(async () => {
    big = (await owner.newProject()).id;
    small = (await owner.newProject()).id;
    await fill(big, ROWS, ROWS / 10);
    await fill(small, 10_000, 1_000);
  }, 180_000);

  const costOf = async (projectId: string, from: number, to: number) => {
    service.d1.reset();
    const { body } = await overview(projectId, from, to);
    const { rowsRead, roundTrips, rowsWritten } = service.d1;
    return { body, rowsRead, roundTrips, rowsWritten };
  };
  const half = 30 * MINUTE;
  const SPACING_MS = (90 * DAY) / ROWS;
  /** Number of mails sent before a time. */
  const sentBefore = (at: number) =>
    Math.ceil((Math.min(Math.max(at, START), NOON) - START) / SPACING_MS);

  it.each([
    ["an hour", NOON - 3 * DAY - 40 * MINUTE, HOUR],
    ["a full hour", NOON - 3 * DAY, HOUR],
    ["24 hours", NOON - 3 * DAY - half - 1, DAY],
    ["48 hours", NOON - 3 * DAY + half - 1, 2 * DAY],
    ["7 days", NOON - 20 * DAY - half + 1, 7 * DAY],
    ["30 days", NOON - 30 * DAY - half, 30 * DAY],
    ["30 days and a bit", NOON - 31 * DAY - half, 30 * DAY + half + 1],
    ["45 days", NOON - 45 * DAY - half, 45 * DAY - 17 * MINUTE],
    ["90 days", START + half, 90 * DAY - HOUR],
    ["two years", NOON - 731 * DAY + half, 731 * DAY],
  ])("gives %s in two round trips that read fewer than 5,000 rows", async (_, from, length) => {
    const many = await costOf(big, from, from + length);
    const few = await costOf(small, from, from + length);
    for (const { roundTrips, rowsWritten, rowsRead } of [many, few]) {
      expect({ roundTrips, rowsWritten }).toEqual({ roundTrips: 2, rowsWritten: 0 });
      expect(rowsRead).toBeLessThan(5_000);
    }
    const counted = many.body.sends_by_status.reduce((sum, { count }) => sum + count, 0);
    const expected = sentBefore(from + length) - sentBefore(from);
    expect(Math.abs(counted - expected)).toBeLessThanOrEqual(2); // times are cut to milliseconds
    expect(many.body.top_templates).toHaveLength(10);
    expect(many.body.top_clicked_links).toHaveLength(10);
    expect(many.body.top_clicked_links[0]).toMatchObject({ url: "https://shop.test/" });
  });

  describe("with rollups of every hour of four years", () => {
    const YEARS = 4 * 366 * DAY;
    const EDGE = NOON - DAY - 13 * HOUR;
    let old = "";

    beforeAll(async () => {
      old = (await owner.newProject()).id;
      await env.DB.prepare(
        `insert into logged_mails (id, project_id, to_email, subject, status, sent_at, opened_at)
          with recursive n(i) as (select 0 union all select i + 1 from n where i < 399)
          select ?1 || i, ?1, 'to@any.test', 'Hello', 'sent', ?2 + i, ?2 + i from n`,
      )
        .bind(old, EDGE)
        .run();
      for (const [grain, length] of Object.entries({ hour: HOUR, day: DAY }))
        for (const [kind, subjects] of Object.entries({ log: 1, template: 8, link: 4 }))
          await env.DB.prepare(
            `insert into rollups (project_id, kind, grain, bucket_at, subject, label, sent, opened, opens, clicks)
              with recursive n(i) as (select 1 union all select i + 1 from n where i < ?4 / ?3),
                s(subject) as (select 0 union all select subject + 1 from s where subject + 1 < ?6)
              select ?1, ?5, ?2, ?7 - i * ?3, case ?5 when 'log' then '' when 'template' then printf('00000000-0000-4000-8000-%012d', subject) else subject end, 'https://shop.test/' || subject,
                case ?5 when 'link' then 0 else ?3 / 3600000 end, 1, 1, 1 from n, s`,
          )
            .bind(old, grain, length, YEARS, kind, subjects, floorTo(NOON, length))
            .run();
    });

    it.each([
      ["a quarter", 90 * DAY],
      ["a year", 365 * DAY],
      ["two years", 731 * DAY],
      ["ten years", 3_652 * DAY],
    ])(
      "gives %s for fewer than 5,500 rows and five a day beyond a year, with 400 mails at its edge",
      async (_, length) => {
        const to = EDGE + 29 * MINUTE;
        const { body, rowsRead, roundTrips } = await costOf(old, to - length, to);
        expect(roundTrips).toBe(2);
        expect(rowsRead).toBeLessThan(5_500 + 5 * Math.max(0, length / DAY - 365));
        const days = Math.min(length, YEARS) / DAY;
        expect(Math.abs(body.total_sent - 400 - days * 24)).toBeLessThanOrEqual(72);
        expect(body.previous.total_sent > 0).toBe(length < YEARS);
        expect(body.top_templates).toHaveLength(8);
        expect(body.top_clicked_links.length).toBeGreaterThan(0);
      },
    );
  });

  it("agrees with the entire log", async () => {
    const { body } = await costOf(big, START, NOON);
    const counts = body.sends_by_status.map(({ count }) => count);
    expect(counts).toEqual([7, 1, 1, 1].map((share) => (share * ROWS) / 10));
    expect(body.total_opened).toBe(Math.ceil(ROWS / 3));
    const buckets = 12 + 89 + 12; // hours to midnight, days, hours until noon
    expect(body.top_clicked_links[0]).toEqual({
      url: "https://shop.test/",
      clicks: 1_000 * buckets,
    });
  });
});

describe("GET /projects/{id}/analytics/refusals", () => {
  const refusals = (projectId: string, from: number, to: number) =>
    owner.get(`/projects/${projectId}/analytics/refusals?from=${iso(from)}&to=${iso(to)}`);
  const refused = (status: "failed" | "bounced" | "sent", reason: string | null, sentAt: number) =>
    ({ id: uuidAt(sentAt), status, reason, sentAt }) as const;

  it("counts failed and bounced mails by reason, the most frequent first", async () => {
    const [{ id }, other] = [await owner.newProject(), await owner.newProject()];
    const at = NOON - HOUR;
    const mails = [
      refused("failed", "blocked", at),
      refused("failed", "blocked", at),
      refused("bounced", "user_unknown", at),
      refused("failed", null, at),
      refused("sent", null, at),
      refused("failed", "policy", at - 1),
      refused("failed", "policy", NOON),
    ];
    await runBatch(
      deps.db,
      appendLog(
        deps,
        id,
        mails.map((mail) => logEntry(id, mail)),
      ),
    );
    const theirs = logEntry(other.id, refused("failed", "policy", at));
    await runBatch(deps.db, appendLog(deps, other.id, [theirs]));
    expect(await refusals(id, at, NOON)).toMatchObject({
      status: 200,
      body: {
        from: iso(at),
        to: iso(NOON),
        refusals: [
          { reason: "blocked", failed: 2, bounced: 0 },
          { reason: null, failed: 1, bounced: 0 },
          { reason: "user_unknown", failed: 0, bounced: 1 },
        ],
        is_complete: true,
      },
    });
    expect(await refusals(id, NOON, at)).toMatchObject({ status: 400 });
  });

  it("reads at most 10,000 mails of each status and says if it omits some", async () => {
    const { id } = await owner.newProject();
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 10500)
      insert into logged_mails (id, project_id, to_email, subject, status, reason, sent_at)
      select printf('%08d', i) || substr(?1, 9), ?1, 'a@b.test', 's', 'failed', 'blocked', ?2 + i from n`,
    )
      .bind(id, NOON - HOUR)
      .run();
    service.d1.reset();
    expect(await refusals(id, NOON - HOUR, NOON)).toMatchObject({
      body: { refusals: [{ reason: "blocked", failed: 10_000 }], is_complete: false },
    });
    expect(service.d1.rowsRead).toBeLessThan(31_000);
  });
});
