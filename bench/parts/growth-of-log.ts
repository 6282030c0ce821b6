import { createOwner, type Owner } from "../harness/account.ts";
import { started, withCleanUp } from "../harness/clean-up.ts";
import { COUNTED, countOf } from "../harness/counts.ts";
import { fillLog } from "../harness/log-fixture.ts";
import type { Goal, PartResult, Sizes } from "../harness/report.ts";
import { startService, type RunningWorker } from "../harness/runtime.ts";
import { median } from "../harness/statistics.ts";

const PAGE_READS = 5;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days over which a log is spread, except the dense one. */
const DAYS = 60;
/** Definition of "flat": the largest costs at most this many times the smallest. */
const FLAT_ROWS = 1.2;
/**
 * Limit asserted in test/services/analytics/analytics.test.ts for an overview with edges in the
 * fullest hours it reads.
 */
const MAX_OVERVIEW_ROWS = 14_000;

/**
 * Measures part 4, the log: rows read by pages for a short log, a long one, and a long one from a
 * single day.
 */
export function growLog({ logRows }: Sizes): Promise<PartResult> {
  return withCleanUp(async (atEnd) => {
    const counted = await started(startService({}, COUNTED), atEnd);
    const owner = await createOwner(counted);
    const largest = Math.max(...logRows);
    const logs = [...logRows.map((count) => ({ count, days: DAYS })), { count: largest, days: 1 }];
    const measured: ({ count: number; days: number; page: string } & PageCost)[] = [];
    for (const log of logs) {
      const { id } = await owner.newProject(9);
      const database = await counted.database();
      await fillLog(database, id, log.count, log.days);
      for (const [page, path] of Object.entries(pagesOf(Date.now())))
        measured.push({
          ...log,
          page,
          ...(await readPage(counted, owner, `/projects/${id}/${path}`)),
        });
    }
    const rowsOf = (page: string) => measured.filter((one) => one.page === page);
    const goals = Object.keys(pagesOf(0)).map((page): Goal => {
      const rows = rowsOf(page).map(({ rowsRead }) => rowsRead);
      return page === TO_THE_SECOND
        ? {
            what: `rows read by ${page}, of any log`,
            measured: Math.max(...rows),
            kind: "at_most",
            limit: MAX_OVERVIEW_ROWS,
          }
        : {
            what: `rows read by ${page}, largest log times smallest`,
            measured: Math.max(...rows.slice(1)) / (rows[0] ?? Number.NaN),
            kind: "at_most",
            limit: FLAT_ROWS,
          };
    });
    return {
      title: "Growth of the log",
      columns: ["page", "log entries", "in days", "rows read", "D1 round trips", "ms"],
      rows: measured.map(({ page, count, days, rowsRead, trips, ms }) => [
        page,
        count,
        days,
        rowsRead,
        trips,
        ms,
      ]),
      goals,
    };
  });
}

/**
 * The most expensive position of an edge within an hour: it maximizes the entries to read before
 * it.
 */
const ALMOST_HALF_MS = HOUR_MS / 2 - 1_000;
const TO_THE_SECOND = "overview, to the second";

function pagesOf(now: number): Record<string, string> {
  const overviewUntil = (to: number) => {
    const [from, until] = [to - 30 * DAY_MS, to].map((at) => new Date(at).toISOString());
    return `analytics/overview?from=${from}&to=${until}`;
  };
  const hour = now - (now % HOUR_MS);
  return {
    list: "logs?limit=50",
    "list, failed": "logs?limit=50&status=failed",
    stats: "stats",
    "overview, whole hours": overviewUntil(hour),
    [TO_THE_SECOND]: overviewUntil(hour - HOUR_MS + ALMOST_HALF_MS),
  };
}

interface PageCost {
  rowsRead: number;
  trips: number;
  ms: number;
}

async function readPage(counted: RunningWorker, owner: Owner, path: string): Promise<PageCost> {
  const eachMs: number[] = [];
  const counts = await countOf(counted, async () => {
    for (let time = 0; time < PAGE_READS; time++) {
      const startedAt = performance.now();
      await owner.api("GET", path);
      eachMs.push(performance.now() - startedAt);
    }
  });
  return {
    rowsRead: counts.d1RowsRead / PAGE_READS,
    trips: counts.d1RoundTrips / PAGE_READS,
    ms: median(eachMs),
  };
}
