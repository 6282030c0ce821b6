import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Database } from "../../db/client.ts";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import { countFor } from "../../db/paging.ts";
import { spanOf, totalOf, type ListPage } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import type { LogRow } from "./log-rows.ts";
import { countsOf, type CountRow } from "./reports/index.ts";
import { logKeptFrom } from "./retention.ts";
import type { LogFilter, LogKey } from "./search/log-search.ts";
import { END_OF_TIME_MS, selectNewest } from "./search/search-queries.ts";
import { storedId, storedStatus } from "./stored-form.ts";

/**
 * Returns a page of the log, newest first. Also returns the number of entries that match the filter
 * if the page asks for it. Rows read: the page and the entries that its offset skips, for each
 * status; a page after a cursor skips none. The total comes from rollups, the test mails, and at
 * most two hours of entries at the edges of the window, never from a scan. Neither the page nor the total
 * includes entries older than the retention, even before their removal.
 */
export async function listLog(
  ctx: Ctx,
  project: ProjectRow,
  filter: LogFilter,
  page: ListPage<LogKey>,
): Promise<{ logs: LogRow[]; total: number | undefined }> {
  const { db } = ctx.deps;
  const kept = withinRetention(filter, logKeptFrom(ctx.deps));
  const [rows, totals] = await runBatch(db, [
    selectNewest(db, project.id, { ...kept, after: page.after }, spanOf(page)),
    countFor(db, page, selectTotal(db, project.id, kept)),
  ]);
  return { logs: rows, total: totalOf(page, totals) };
}

function withinRetention(filter: LogFilter, keptFrom: number | undefined): LogFilter {
  return keptFrom === undefined
    ? filter
    : { ...filter, from: Math.max(filter.from ?? 0, keptFrom) };
}

const statusesOf = (filter: LogFilter) => (filter.status ? [filter.status] : [...LOG_STATUSES]);

/** The parts of hours at both ends of a window are always counted in the log. */
const EXACT = { byHour: false, keptFrom: 0, edgeMax: Number.MAX_SAFE_INTEGER };

/** Returns the query of the counts of a time: one row for each full day, and for hours at its ends. */
const countsWithin = (projectId: string, { from = 0, to = END_OF_TIME_MS }: LogFilter): SQL =>
  countsOf(projectId, { from, to }, EXACT);

function selectTotal(db: Database, projectId: string, filter: LogFilter) {
  const columns = sql.raw(statusesOf(filter).join(" + "));
  return db.all<{ total: number }>(
    sql`select coalesce(sum(${columns}), 0) + ${testsWithin(projectId, filter)} as total
      from (${countsWithin(projectId, filter)})`,
  );
}

/** Returns the number of test mails of a time, which no rollup counts. */
const testsWithin = (projectId: string, filter: LogFilter): SQL => {
  const { from = 0, to = END_OF_TIME_MS } = filter;
  return sql`(select count(*) from log_entries indexed by log_entries_by_test
    where project_id = ${storedId(projectId)} and test is not null and sent_at >= ${from} and sent_at < ${to}
      and status in (${sql.join(statusesOf(filter).map(storedStatus), sql`, `)}))`;
};

export type LogStats = Record<"total" | Exclude<keyof CountRow, "at" | "opens">, number>;

/** Reads the counts of all mails of a project: one row for each day with mails. */
export async function readStats({ deps }: Ctx, project: ProjectRow): Promise<LogStats> {
  const days = await deps.db.all<CountRow>(countsWithin(project.id, {}));
  const sumOf = (name: Exclude<keyof LogStats, "total">) =>
    days.reduce((sum, day) => sum + day[name], 0);
  return {
    total: LOG_STATUSES.reduce((sum, status) => sum + sumOf(status), 0),
    sent: sumOf("sent"),
    failed: sumOf("failed"),
    opened: sumOf("opened"),
    clicked: sumOf("clicked"),
    bounced: sumOf("bounced"),
    suppressed: sumOf("suppressed"),
  };
}
