import { sql, type SQL } from "drizzle-orm";
import { runBatch, type Database } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { CLICKS_PER_STEP, ENTRIES_PER_STEP, removeEntries } from "./remove-entries.ts";
import { removeProjectRollups } from "./rollups/remove-rollups.ts";
import { removeProjectVisits } from "./visits/remove-visits.ts";
import { storedId } from "./stored-form.ts";

/**
 * Returns the statements of one step that removes the log of a deleted project: at most `limit`
 * entries with a bounded number of their clicks, and at most `limit` subjects, rollups and visit
 * counts.
 */
export function purgeLog(db: Database, projectId: string, limit: number) {
  return [
    ...removeEntries(db, someEntries(projectId, limit)),
    db.run(
      sql`delete from log_subjects where (project_id, broadcast_id) in (
        select project_id, broadcast_id from log_subjects where project_id = ${storedId(projectId)} limit ${limit})`,
    ),
    removeProjectRollups(db, projectId, limit),
    ...removeProjectVisits(db, projectId, limit),
  ];
}

const someEntries = (projectId: string, limit: number) =>
  sql`select id from log_entries where project_id = ${storedId(projectId)} limit ${limit}`;

/**
 * Removes entries of a deleted project with their clicks, until none is left or the limit of steps
 * or time is reached. The log takes up most of a full database, so it is purged faster than other
 * tables. Each step is one atomic batch. Returns the number of entries.
 */
export async function purgeEntries(
  deps: Deps,
  projectId: string,
  { steps, endsAt }: { steps: number; endsAt: number },
): Promise<number> {
  const some = someEntries(projectId, ENTRIES_PER_STEP);
  let removed = 0;
  for (let step = 0; step < steps && deps.now() < endsAt; step += 1) {
    const [clicks, entries] = await runBatch(deps.db, removeEntries(deps.db, some));
    removed += entries.meta.changes;
    if (entries.meta.changes < ENTRIES_PER_STEP && clicks.meta.changes < CLICKS_PER_STEP) break;
  }
  return removed;
}

/** Returns a condition for the batch of `purgeLog`: the log has no rows left. */
export function isLogPurged(projectId: string): SQL {
  const tables = [
    ...["log_entries", "log_subjects"].map((name) => ({ name, key: storedId(projectId) })),
    ...["rollups", "broadcast_counts", "broadcast_links", "open_hours"].map((name) => ({
      name,
      key: sql`${projectId}`,
    })),
  ];
  const empty = tables.map(
    ({ name, key }) => sql`not exists (select 1 from ${sql.raw(name)} where project_id = ${key})`,
  );
  return sql`(${sql.join(empty, sql` and `)})`;
}
