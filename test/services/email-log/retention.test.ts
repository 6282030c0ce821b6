/* LOG_RETENTION_DAYS: the entries that the list shows, and those that the removal deletes. */
import { env } from "cloudflare:test";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { runScheduled } from "../../../src/cron/run-scheduled.ts";
import { runBatch } from "../../../src/db/client.ts";
import { LOG_STATUSES } from "../../../src/db/schema/index.ts";
import { appendLog, logKeptFrom, pruneLog } from "../../../src/services/email-log/index.ts";
import { recordEvents } from "../../../src/services/tracking/index.ts";
import { logEntry } from "../../support/log-entry.ts";
import { createService, type Client } from "../../support/service.ts";
import { DAY, HOUR, iso } from "../../support/times.ts";
import { trackingEvent } from "../../support/tracking/mails.ts";

const DAYS_KEPT = 30;
/** Time of the removal. */
const NOW = Date.UTC(2026, 7, 20, 3, 17);
const KEPT_FROM = Date.UTC(2026, 6, 21);
const EVERY_FIVE_MINUTES = "*/5 * * * *";

const clock = { now: NOW };
const runtime = { now: () => clock.now };
const service = createService({ LOG_RETENTION_DAYS: String(DAYS_KEPT) }, runtime);
const forEver = createService({ LOG_RETENTION_DAYS: "0" }, runtime);
const deps = await service.deps();
let owner: Client;

beforeAll(async () => {
  owner = await service.newOwner();
});
afterEach(async () => {
  clock.now = NOW;
  service.d1.before = undefined;
  service.d1.after = undefined;
  vi.restoreAllMocks();
  await env.DB.batch(
    ["projects", "logged_mails", "email_clicks", "rollups"].map((table) =>
      env.DB.prepare(`delete from ${table}`),
    ),
  );
});

/** Logs one mail for each time, with the verb that sending uses. */
async function log(
  projectId: string,
  times: number[],
  status: (at: number) => (typeof LOG_STATUSES)[number] = () => "sent",
) {
  const entries = times.map((sentAt) => logEntry(projectId, { status: status(sentAt), sentAt }));
  await runBatch(deps.db, appendLog(deps, projectId, entries));
  return entries.map(({ id }) => id);
}

/** Writes many old mails at once in SQL, each with `clicks`. */
async function fill(projectId: string, count: number, clicks = 0, status = "sent") {
  await env.DB.batch([
    env.DB.prepare(
      `insert into logged_mails (id, project_id, to_email, subject, status, sent_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
        select ?1 || '-' || ?4 || i, ?1, 'to@any.test', 'Hello', ?4, ?3 - i from n`,
    ).bind(projectId, count, KEPT_FROM, status),
    env.DB.prepare(
      `insert into email_clicks (log_id, id, url, user_agent, ip_address, class, clicked_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
        select l.id, i, '', '', '', '', 1 from logged_mails l, n where l.project_id = ?1 and ?2 > 0`,
    ).bind(projectId, clicks),
  ]);
}

const numberOf = async (table: string, where = "true") =>
  (await env.DB.prepare(`select count(*) as n from ${table} where ${where}`).first<number>("n")) ??
  0;

async function rollupsOf(projectId: string) {
  const { results } = await env.DB.prepare(
    "select * from rollups where project_id = ? order by kind, grain, bucket_at",
  )
    .bind(projectId)
    .all();
  return results;
}

interface LogPage {
  logs: { id: string; sent_at: string }[];
  total: number;
}

async function list(projectId: string, query = "", from = service, limit = 200) {
  const response = await from.fetch(`/api/v1/projects/${projectId}/logs?limit=${limit}${query}`, {
    headers: { Cookie: owner.cookie },
  });
  const { logs, total } = await response.json<LogPage>();
  return { ids: logs.map(({ id }) => id), total };
}

const isStep = (sql: string[]) =>
  sql.length === 3 && sql.every((text) => text.startsWith("delete"));

describe("the retention of an entry", () => {
  it("ends with a UTC day, LOG_RETENTION_DAYS days ago", () => {
    const keptFrom = (at: number, days = DAYS_KEPT) =>
      logKeptFrom({ config: { ...deps.config, logRetentionDays: days }, now: () => at });
    expect(keptFrom(NOW)).toBe(KEPT_FROM);
    expect(keptFrom(Date.UTC(2026, 7, 20))).toBe(KEPT_FROM);
    expect(keptFrom(Date.UTC(2026, 7, 20) - 1)).toBe(KEPT_FROM - DAY);
    expect(keptFrom(NOW, 1)).toBe(Date.UTC(2026, 7, 19));
    expect(keptFrom(NOW, 0)).toBeUndefined();
  });
});

describe("GET /projects/{id}/logs", () => {
  it("shows and counts the kept entries, before and after the removal of the others", async () => {
    const { id } = await owner.newProject();
    const times = [-40 * DAY, -1, 0, 1, HOUR + 1, 5 * DAY].map((offset) => KEPT_FROM + offset);
    const ids = await log(id, times, (at) => LOG_STATUSES[at % 4] ?? "sent");
    const kept = ids.slice(2).toReversed();
    const windows = ["", `&from=${iso(0)}`, `&from=${iso(0)}&to=${iso(NOW)}`, `&to=${iso(NOW)}`];
    for (const removed of [false, true]) {
      for (const query of windows)
        expect([removed, query, await list(id, query)]).toEqual([
          removed,
          query,
          { ids: kept, total: kept.length },
        ]);
      for (const [index, status] of LOG_STATUSES.entries()) {
        const own = kept.filter((one) => (times[ids.indexOf(one)] ?? 0) % 4 === index);
        expect(await list(id, `&status=${status}`)).toEqual({ ids: own, total: own.length });
      }
      expect(await list(id, `&from=${iso(KEPT_FROM + 1)}`)).toMatchObject({ total: 3 });
      expect(await list(id, `&to=${iso(KEPT_FROM)}`)).toEqual({ ids: [], total: 0 });
      expect((await owner.get(`/projects/${id}/stats`)).body).toMatchObject({ total: 6 });
      await pruneLog(deps);
    }
  });

  it("drops a day at midnight, regardless of when the removal runs", async () => {
    const { id } = await owner.newProject();
    await log(id, [KEPT_FROM + DAY - 1, KEPT_FROM + DAY]);
    clock.now = Date.UTC(2026, 7, 21) - 1;
    expect(await list(id)).toMatchObject({ total: 2 });
    clock.now += 1;
    expect(await list(id)).toMatchObject({ total: 1 });
  });

  it("counts them from at most 92 rows of days when 90 days are kept", async () => {
    const ninety = createService({ LOG_RETENTION_DAYS: "90" }, runtime);
    const { id } = await owner.newProject();
    await log(
      id,
      Array.from({ length: 120 * 24 }, (_, hour) => NOW - hour * HOUR),
    );
    ninety.d1.reset();
    const { total } = await list(id, "", ninety, 1);
    expect(total).toBe(90 * 24 + 4); // the hours of today, from 00:17 on
    const page = 32; // and the access check with its guard
    expect(ninety.d1.rowsRead).toBeLessThanOrEqual(92 + page);
    expect(ninety.d1.roundTrips).toBe(2);
  });

  it("shows everything when LOG_RETENTION_DAYS is 0, and nothing is ever removed", async () => {
    const { id } = await owner.newProject();
    const ids = await log(id, [1, KEPT_FROM - 1]);
    forEver.d1.reset();
    expect(await pruneLog(await forEver.deps())).toEqual({
      entries: 0,
      clicks: 0,
      links: 0,
      isMore: false,
    });
    expect(forEver.d1.roundTrips).toBe(1);
    expect(await list(id, "", forEver)).toEqual({ ids: ids.toReversed(), total: 2 });
  });
});

describe("the removal", () => {
  it("deletes entries older than the limit, of every status and project, and nothing else", async () => {
    const kept: string[] = [];
    for (const { id } of [await owner.newProject(), await owner.newProject()])
      for (const status of LOG_STATUSES) {
        const times = [KEPT_FROM - 99 * DAY, KEPT_FROM - 1, KEPT_FROM, KEPT_FROM + 1, NOW];
        kept.push(...(await log(id, times, () => status)).slice(2));
      }
    await runScheduled(deps, EVERY_FIVE_MINUTES);
    const { results } = await env.DB.prepare("select id from logged_mails").all<{ id: string }>();
    expect(results.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
  });

  it("deletes the clicks of a mail with it and keeps those of others", async () => {
    const { id } = await owner.newProject();
    const [old = "", recent = ""] = await log(id, [KEPT_FROM - DAY, KEPT_FROM + DAY]);
    const at = KEPT_FROM + 2 * DAY;
    await recordEvents(
      deps,
      [old, old, recent].map((logId, n) => trackingEvent("click", logId, at + n)),
    );
    expect(await numberOf("email_clicks")).toBe(3);
    expect(await pruneLog(deps)).toEqual({ entries: 1, clicks: 2, links: 0, isMore: false });
    expect(await numberOf("email_clicks", `log_id = '${recent}'`)).toBe(1);
    expect(await numberOf("email_clicks")).toBe(1);
  });

  it("keeps totals, statistics and rollups", async () => {
    const { id } = await owner.newProject();
    const [old = ""] = await log(id, [KEPT_FROM - DAY, KEPT_FROM - HOUR, KEPT_FROM]);
    await recordEvents(deps, [trackingEvent("open", old, KEPT_FROM - HOUR)]);
    const [rollups, stats] = [await rollupsOf(id), await owner.get(`/projects/${id}/stats`)];
    expect((await pruneLog(deps)).entries).toBe(2);
    expect(await rollupsOf(id)).toEqual(rollups);
    expect((await owner.get(`/projects/${id}/stats`)).body).toEqual(stats.body);
    expect(stats.body).toMatchObject({ total: 3, opened: 1 });
  });

  it("makes opens and clicks of a removed mail have no effect", async () => {
    const { id } = await owner.newProject();
    const [old = ""] = await log(id, [KEPT_FROM - DAY]);
    await pruneLog(deps);
    const before = await rollupsOf(id);
    expect((await service.fetch(`/t/${old}.gif`)).status).toBe(200);
    await recordEvents(deps, [
      trackingEvent("open", old, NOW),
      trackingEvent("click", old, NOW, "https://shop.test/"),
    ]);
    expect(await rollupsOf(id)).toEqual(before);
    expect([await numberOf("email_clicks"), await numberOf("logged_mails")]).toEqual([0, 0]);
  });

  it("deletes at most 1,000 entries and 5,000 clicks in one batch", async () => {
    const { id } = await owner.newProject();
    await fill(id, 2_300, 3);
    await fill(id, 200, 0, "failed");
    const sums: number[] = [];
    service.d1.after = (sql) => {
      if (isStep(sql)) sums.push(service.d1.rowsWritten);
    };
    service.d1.reset();
    expect(await pruneLog(deps)).toEqual({
      entries: 2_500,
      clicks: 6_900,
      links: 0,
      isMore: false,
    });
    const written = sums.map((sum, index) => sum - (sums[index - 1] ?? 0));
    // An entry is three rows, a click one.
    for (const rows of written) expect(rows).toBeLessThanOrEqual(3 * 1_000 + 5_000);
    expect(written).toHaveLength(3);
  });

  it("removes a mail with more clicks than a step deletes", async () => {
    const { id } = await owner.newProject();
    await fill(id, 1, 12_000);
    expect(await pruneLog(deps)).toEqual({ entries: 1, clicks: 12_000, links: 0, isMore: false });
  });

  it("is atomic in each step: a crash leaves whole mails, and the next run removes them", async () => {
    const { id } = await owner.newProject();
    await fill(id, 2_500, 1);
    let steps = 0;
    service.d1.before = (sql) => {
      if (isStep(sql) && ++steps === 2) throw new Error("the worker dies");
    };
    await expect(pruneLog(deps)).rejects.toThrow("the worker dies");
    service.d1.before = undefined;
    expect([await numberOf("logged_mails"), await numberOf("email_clicks")]).toEqual([
      1_500, 1_500,
    ]);
    expect(await pruneLog(deps)).toEqual({
      entries: 1_500,
      clicks: 1_500,
      links: 0,
      isMore: false,
    });
    expect(await pruneLog(deps)).toEqual({ entries: 0, clicks: 0, links: 0, isMore: false });
  });

  it("loses nothing and counts nothing twice when two run at once", async () => {
    const { id } = await owner.newProject();
    await fill(id, 1_500, 1);
    const [one, two] = await Promise.all([pruneLog(deps), pruneLog(deps)]);
    expect(one.entries + two.entries).toBe(1_500);
    expect(one.clicks + two.clicks).toBe(1_500);
    expect([await numberOf("logged_mails"), await numberOf("email_clicks")]).toEqual([0, 0]);
  });

  it("deletes only the counts by link of its days, hours and days, in bounded steps", async () => {
    const { id } = await owner.newProject();
    const [recent = ""] = await log(id, [KEPT_FROM + DAY]);
    await recordEvents(deps, [
      trackingEvent("click", recent, KEPT_FROM + DAY, "https://shop.test/?token=1"),
    ]);
    const kept = await rollupsOf(id);
    await env.DB.prepare(
      `insert into rollups (project_id, kind, grain, bucket_at, subject, label, clicks)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
        select ?1, 'link', grain, ?2 - length * (1 + i % 9), 'hash' || i, 'https://shop.test/?token=' || i, 1
        from n, (select 'hour' as grain, ?3 as length union all select 'day', ?4)`,
    )
      .bind(id, KEPT_FROM, HOUR, DAY)
      .run();
    let most = 0;
    service.d1.after = (sql) => {
      if (isStep(sql)) most = Math.max(most, service.d1.rowsWritten);
      service.d1.reset();
    };
    service.d1.reset();
    expect(await pruneLog(deps)).toEqual({ entries: 0, clicks: 0, links: 5_000, isMore: false });
    expect(await rollupsOf(id)).toEqual(kept);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2 * 2_000); // the row and its index entry
  });

  it("stops after four minutes, reports that more remains, and continues in the next run", async () => {
    const { id } = await owner.newProject();
    await fill(id, 2_500);
    const told = vi.spyOn(console, "info").mockReturnValue();
    service.d1.before = (sql) => {
      if (isStep(sql)) clock.now += 2.5 * 60_000; // two and a half minutes a step
    };
    expect(await pruneLog(deps)).toEqual({ entries: 2_000, clicks: 0, links: 0, isMore: true });
    expect(told.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      { level: "info", event: "log_pruned", entries: 2_000, clicks: 0, links: 0, isMore: true },
    ]);
    service.d1.before = undefined;
    told.mockClear();
    expect(await pruneLog(deps)).toEqual({ entries: 500, clicks: 0, links: 0, isMore: false });
    expect(JSON.parse(String(told.mock.calls[0]?.[0]))).toMatchObject({
      entries: 500,
      isMore: false,
    });
  });

  it("visits all projects, and logs once", async () => {
    await env.DB.batch([
      env.DB.prepare(
        `insert into projects (id, workspace_id, created_by, name, description, created_at, updated_at)
          with recursive n(i) as (select 1 union all select i + 1 from n where i < 250)
          select printf('p%03d', i), '', '', '', '', 1, 1 from n`,
      ),
      env.DB.prepare(
        `insert into logged_mails (id, project_id, to_email, subject, status, sent_at)
          select 'mail-' || id, id, 'to@any.test', 'Hello', 'sent', ? from projects`,
      ).bind(KEPT_FROM - 1),
    ]);
    const told = vi.spyOn(console, "info").mockReturnValue();
    expect(await pruneLog(deps)).toEqual({ entries: 250, clicks: 0, links: 0, isMore: false });
    expect(await numberOf("logged_mails")).toBe(0);
    expect(told).toHaveBeenCalledTimes(1);
    expect((await pruneLog(deps)).entries).toBe(0);
    expect(told).toHaveBeenCalledTimes(1); // nothing removed
  });

  it("logs the removed clicks and links as well", async () => {
    const { id } = await owner.newProject();
    const told = vi.spyOn(console, "info").mockReturnValue();
    await fill(id, 1, 3);
    expect(await pruneLog(deps)).toMatchObject({ entries: 1, clicks: 3 });
    expect(told).toHaveBeenCalledTimes(1);
    await env.DB.prepare(
      `insert into rollups (project_id, kind, grain, bucket_at, subject, label, clicks)
        values (?, 'link', 'day', ?, 'hash', 'https://shop.test/', 1)`,
    )
      .bind(id, KEPT_FROM - DAY)
      .run();
    expect(await pruneLog(deps)).toMatchObject({ entries: 0, clicks: 0, links: 1 });
    expect(told).toHaveBeenCalledTimes(2);
  });

  it("does nothing before the first project exists", async () => {
    expect(await pruneLog(deps)).toEqual({ entries: 0, clicks: 0, links: 0, isMore: false });
  });

  it("reads a few index entries per project if nothing is to be removed", async () => {
    const { id } = await owner.newProject();
    await log(id, [NOW]);
    await env.DB.prepare(
      `insert into projects (id, workspace_id, created_by, name, description, created_at, updated_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 249)
        select printf('p%03d', i), '', '', '', '', 1, 1 from n`,
    ).run();
    service.d1.reset();
    expect(await pruneLog(deps)).toEqual({ entries: 0, clicks: 0, links: 0, isMore: false });
    expect(service.d1.roundTrips).toBe(1);
    // Each of three statements reads the projects and, for each, the list of statuses or grains.
    expect(service.d1.rowsRead).toBeLessThanOrEqual(250 * (2 * (2 * 4 + 2) + (2 * 2 + 1)));
    expect(service.d1.rowsWritten).toBe(0);
  });
});
