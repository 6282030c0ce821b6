import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { logLine } from "../../lib/log-line.ts";
import { removeLinkRollups } from "./rollups/remove-rollups.ts";
import { logKeptFrom } from "./retention.ts";
import { CLICKS_PER_STEP, ENTRIES_PER_STEP, removeEntries } from "./remove-entries.ts";
import { storedIdSql } from "./stored-form.ts";

/**
 * The number of link counts that one step removes, so that no statement exceeds D1's time limit.
 */
const LINKS_PER_STEP = 2_000;

/**
 * The maximum number of steps per run. At three statements a step they are 300. With 300
 * for IP addresses and 100 for old deliveries, the jobs of one run stay below D1's 1,000 queries.
 */
const STEPS_PER_RUN = 100;
/** The time limit of a run. */
const MS_PER_RUN = 4 * 60_000;

/** The number of rows that a run removed, and whether work remains. */
export interface Pruning {
  entries: number;
  clicks: number;
  /** The hourly and daily click counts of links. */
  links: number;
  isMore: boolean;
}

/**
 * Removes log entries older than their retention from all projects, with their clicks and the link
 * counts of that time, because a URL may contain personal data. Totals stay. Each step is one atomic
 * batch, so a crash leaves no click without its mail. The next run continues where this one ended.
 * Runs every five minutes. The cutoff advances once a day.
 */
export async function pruneLog(deps: Deps): Promise<Pruning> {
  const before = logKeptFrom(deps);
  const pruning: Pruning = { entries: 0, clicks: 0, links: 0, isMore: false };
  const endsAt = deps.now() + MS_PER_RUN;
  for (let step = 0; ; step += 1) {
    pruning.isMore = step === STEPS_PER_RUN || deps.now() >= endsAt;
    if (pruning.isMore) break;
    const { entries, clicks, links } = await pruneStep(deps, before);
    pruning.entries += entries;
    pruning.clicks += clicks;
    pruning.links += links;
    if (entries < ENTRIES_PER_STEP && clicks < CLICKS_PER_STEP && links < LINKS_PER_STEP) break;
  }
  if (pruning.isMore || pruning.entries + pruning.clicks + pruning.links > 0)
    logLine("info", "log_pruned", { ...pruning });
  return pruning;
}

async function pruneStep({ db, now }: Deps, before: number | undefined) {
  const [clicks, entries, links] = await runBatch(db, [
    ...removeEntries(db, oldEntries(before, now() - TESTS_KEPT_MS)),
    ...(before === undefined ? [] : [removeLinkRollups(db, before, LINKS_PER_STEP)]),
  ]);
  return {
    entries: entries.meta.changes,
    clicks: clicks.meta.changes,
    links: links?.meta.changes ?? 0,
  };
}

/** The retention of test mails. */
const TESTS_KEPT_MS = 7 * DAY_MS;

/**
 * Selects the oldest test mails, and the oldest entries of each project and status. Both statements
 * of a step use the same selection. A project without old entries costs one index lookup per status.
 */
function oldEntries(before: number | undefined, testsBefore: number): SQL {
  const all = sql`
    union all select l.id from projects p cross join json_each(${JSON.stringify(LOG_STATUSES)}) status
    cross join log_entries l indexed by log_entries_by_status
      on l.project_id = ${storedIdSql(sql`p.id`)} and l.status = status.key and l.sent_at < ${before}`;
  return sql`select id from log_entries indexed by log_entries_tests
    where test is not null and sent_at < ${testsBefore}${before === undefined ? sql`` : all}
    limit ${ENTRIES_PER_STEP}`;
}
