import { sql, type SQL } from "drizzle-orm";
import type { App } from "../../app.ts";
import { runBatch } from "../../db/client.ts";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import { logLine } from "../../lib/log-line.ts";
import { logKeptFrom } from "./retention.ts";

/** What one step removes at most, so that no statement runs into D1's time limit. */
const ENTRIES_PER_STEP = 1_000;
const CLICKS_PER_STEP = 5_000;
const LINKS_PER_STEP = 2_000;

/** Projects looked at in one step; without old entries one costs an index look-up a status. */
const PROJECTS_PER_STEP = 100;

/** What one run does at most: with four queries a step, well below the 1,000 D1 gives an invocation. */
const STEPS_PER_RUN = 200;
/** Runs are five minutes apart. */
const RUN_EVERY_MS = 5 * 60_000;
const MS_PER_RUN = 4 * 60_000;

/** What a run removed, and whether it left something for the next one. */
export interface Pruning {
  entries: number;
  clicks: number;
  /** Rows that count the clicks of one link in one hour or day. */
  links: number;
  isMore: boolean;
}

/**
 * Removes log entries that LOG_RETENTION_DAYS no longer keeps from all projects, with their clicks and
 * the counts by link of that time: a URL may carry what its reader alone should know. Totals stay.
 * Each step is one atomic batch, so that a crash leaves no click without its mail, and the next run
 * goes on where this one ended. Run every five minutes: with the day the cutoff moves on.
 */
export async function pruneLog(app: App): Promise<Pruning> {
  const before = logKeptFrom(app);
  const pruning: Pruning = { entries: 0, clicks: 0, links: 0, isMore: false };
  if (before === undefined) return pruning;
  const endsAt = app.now() + MS_PER_RUN;
  let steps = 0;
  for await (const projectIds of projectPages(app)) {
    let isDone = false;
    while (!isDone) {
      pruning.isMore = steps++ === STEPS_PER_RUN || app.now() >= endsAt;
      if (pruning.isMore) break;
      const { entries, clicks, links } = await pruneStep(app, projectIds, before);
      pruning.entries += entries;
      pruning.clicks += clicks;
      pruning.links += links;
      isDone = entries < ENTRIES_PER_STEP && clicks < CLICKS_PER_STEP && links < LINKS_PER_STEP;
    }
    if (pruning.isMore) break;
  }
  if (pruning.isMore || pruning.entries + pruning.clicks + pruning.links > 0)
    logLine("info", "log_pruned", { ...pruning });
  return pruning;
}

/**
 * All projects once, in the order of their ids. Each run begins one project further on, so that
 * none whose log fills a run keeps the others waiting for ever.
 */
async function* projectPages(app: App): AsyncGenerator<string[]> {
  const startId = await selectStart(app);
  for (const [afterId, lastId] of [[startId, LAST_ID] as const, ["", startId] as const]) {
    let page = await selectProjectIds(app, afterId, lastId);
    while (page.length > 0) {
      yield page;
      if (page.length < PROJECTS_PER_STEP) break;
      page = await selectProjectIds(app, page.at(-1) ?? "", lastId);
    }
  }
}

/** After every id: they are ASCII. */
const LAST_ID = "~";

/** The project whose turn it is to be the last of a run. */
async function selectStart({ db, now }: App): Promise<string> {
  const turn = Math.floor(now() / RUN_EVERY_MS);
  const [start] = await db.all<{ id: string }>(
    sql`select id from projects order by id
      limit 1 offset cast(${turn} as integer) % max(1, (select count(*) from projects))`,
  );
  return start?.id ?? "";
}

/** The next projects, after one and up to another. */
async function selectProjectIds({ db }: App, afterId: string, lastId: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    sql`select id from projects where id > ${afterId} and id <= ${lastId}
      order by id limit ${PROJECTS_PER_STEP}`,
  );
  return rows.map(({ id }) => id);
}

async function pruneStep({ db }: App, projectIds: string[], before: number) {
  const old = oldEntries(projectIds, before);
  const [clicks, entries, links] = await runBatch(db, [
    db.run(
      sql`delete from email_clicks where (log_id, id) in (
        select log_id, id from email_clicks where log_id in (${old}) limit ${CLICKS_PER_STEP})`,
    ),
    // A mail with more clicks than that stays until they are gone.
    db.run(
      sql`delete from email_logs where id in (${old})
        and not exists (select 1 from email_clicks where log_id = email_logs.id)`,
    ),
    db.run(
      sql`delete from rollups where (project_id, kind, grain, bucket_at, subject) in (
        select r.project_id, r.kind, r.grain, r.bucket_at, r.subject
        from json_each(${JSON.stringify(projectIds)}) project
          cross join json_each('["hour","day"]') grain
          cross join rollups r on r.project_id = project.value and r.kind = 'link'
            and r.grain = grain.value and r.bucket_at < ${before}
        limit ${LINKS_PER_STEP})`,
    ),
  ]);
  return {
    entries: entries.meta.changes,
    clicks: clicks.meta.changes,
    links: links.meta.changes,
  };
}

/** The oldest entries of each status, project after project: the same for both statements of a step. */
function oldEntries(projectIds: string[], before: number): SQL {
  return sql`select l.id from json_each(${JSON.stringify(projectIds)}) project
    cross join json_each(${JSON.stringify(LOG_STATUSES)}) status
    cross join email_logs l indexed by email_logs_by_status
      on l.project_id = project.value and l.status = status.value and l.sent_at < ${before}
    limit ${ENTRIES_PER_STEP}`;
}
