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

/**
 * Returns a page of the log, newest first. Also returns the number of entries that match the filter
 * if the page asks for it. Rows read: the page and the entries that its offset skips, for each
 * status; a page after a cursor skips none. The total comes from counters, rollups and at most two
 * hours of entries at the edges of the window, never from a scan. Neither the page nor the total
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

function selectTotal(db: Database, projectId: string, filter: LogFilter) {
  const { from, to } = filter;
  const counts =
    from === undefined && to === undefined
      ? ofAllTime(projectId)
      : countsOf(projectId, { from: from ?? 0, to: to ?? END_OF_TIME_MS }, EXACT);
  const columns = sql.raw(statusesOf(filter).join(" + "));
  return db.all<{ total: number }>(
    sql`select coalesce(sum(${columns}), 0) as total from (${counts})`,
  );
}

/** Returns the query of the project's totals: one row, or none before the first mail. */
const ofAllTime = (projectId: string): SQL =>
  sql`select * from rollups where project_id = ${projectId} and kind = 'log' and grain = 'all'`;

export interface LogStats {
  total: number;
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  opened: number;
  clicked: number;
}

/** Reads the project's totals from one row. All are 0 before the first mail. */
export async function readStats(ctx: Ctx, project: ProjectRow): Promise<LogStats> {
  const [row] = await ctx.deps.db.all<CountRow>(ofAllTime(project.id));
  const { sent, failed, bounced, suppressed, opened, clicked } = row ?? NOTHING;
  const total = sent + failed + bounced + suppressed;
  return { total, sent, failed, opened, clicked, bounced, suppressed };
}

const NOTHING = { sent: 0, failed: 0, bounced: 0, suppressed: 0, opened: 0, clicked: 0 };
