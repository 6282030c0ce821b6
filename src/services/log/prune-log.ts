import { sql, type SQL } from "drizzle-orm";
import type { App } from "../../app.ts";
import { runBatch } from "../../db/client.ts";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import { logLine } from "../../lib/log-line.ts";
import { logKeptFrom } from "./retention.ts";

/** What one step removes at most, so that no statement runs into D1's time limit. */
const ENTRIES_PER_STEP = 1_000;
const CLICKS_PER_STEP = 5_000;

/** Projects looked at in one step; without old entries one costs an index look-up a status. */
const PROJECTS_PER_STEP = 100;

/** What one night does at most: with three queries a step, well below the 1,000 D1 gives an invocation. */
const STEPS_PER_NIGHT = 250;
const MS_PER_NIGHT = 10 * 60_000;

/** What a night removed, and whether it left something for the next one. */
export interface Pruning {
  entries: number;
  clicks: number;
  isMore: boolean;
}

/**
 * Removes log entries that LOG_RETENTION_DAYS no longer keeps, with their clicks, from all projects;
 * totals stay. Each step is one atomic batch, so that a crash leaves no click without its mail, and
 * the next night goes on where this one ended. Run by the nightly schedule.
 */
export async function pruneLog(app: App): Promise<Pruning> {
  const before = logKeptFrom(app);
  const pruning: Pruning = { entries: 0, clicks: 0, isMore: false };
  if (before === undefined) return pruning;
  const endsAt = app.now() + MS_PER_NIGHT;
  let projectIds = await selectProjectIds(app, "");
  for (let step = 0; projectIds.length > 0; step++) {
    pruning.isMore = step === STEPS_PER_NIGHT || app.now() >= endsAt;
    if (pruning.isMore) break;
    const { entries, clicks } = await pruneStep(app, projectIds, before);
    pruning.entries += entries;
    pruning.clicks += clicks;
    const isDone = entries < ENTRIES_PER_STEP && clicks < CLICKS_PER_STEP;
    if (isDone) projectIds = await selectProjectIds(app, projectIds.at(-1) ?? "");
  }
  logLine(pruning.isMore ? "warn" : "info", "log_pruned", { ...pruning });
  return pruning;
}

/** The next projects in the order of their ids. */
async function selectProjectIds({ db }: App, afterId: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    sql`select id from projects where id > ${afterId} order by id limit ${PROJECTS_PER_STEP}`,
  );
  return rows.map(({ id }) => id);
}

async function pruneStep({ db }: App, projectIds: string[], before: number) {
  const old = oldEntries(projectIds, before);
  const results = (await runBatch(db, [
    db.run(
      sql`delete from email_clicks where (log_id, id) in (
        select log_id, id from email_clicks where log_id in (${old}) limit ${CLICKS_PER_STEP})`,
    ),
    // A mail with more clicks than that stays until they are gone.
    db.run(
      sql`delete from email_logs where id in (${old})
        and not exists (select 1 from email_clicks where log_id = email_logs.id)`,
    ),
  ])) as D1Result[];
  const [clicks = 0, entries = 0] = results.map(({ meta }) => meta.changes);
  return { entries, clicks };
}

/** The oldest entries of each status, project after project: the same for both statements of a step. */
function oldEntries(projectIds: string[], before: number): SQL {
  return sql`select l.id from json_each(${JSON.stringify(projectIds)}) project
    cross join json_each(${JSON.stringify(LOG_STATUSES)}) status
    cross join email_logs l indexed by email_logs_by_status
      on l.project_id = project.value and l.status = status.value and l.sent_at < ${before}
    limit ${ENTRIES_PER_STEP}`;
}
