import { sql } from "drizzle-orm";
import { runBatch, type Database } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { uuidFloor } from "../../../lib/ids.ts";
import { logKeptFrom } from "../retention.ts";

/** The limits of one night's cleanup, in steps of a size that D1 handles easily. */
const STEPS = 100;
const ROWS_PER_STEP = 2_000;

/**
 * Removes the clicked links of broadcasts that began before the log's retention, because a URL may
 * contain personal data, and the opens of the hours before it. The counts of visited mails stay.
 * Each step is one atomic batch that reads two entries per project, the removed rows, and the links
 * of broadcasts that began later than their id suggests.
 */
export async function forgetVisits(deps: Deps): Promise<void> {
  const { db } = deps;
  const before = logKeptFrom(deps);
  if (before === undefined) return;
  for (let step = 0; step < STEPS; step++) {
    const [hours, , links] = await runBatch(db, [
      removeOpenHours(db, before),
      ...forgetLinks(db, before),
    ]);
    if (Math.max(hours.meta.changes, links.meta.changes) < ROWS_PER_STEP) return;
  }
}

const removeOpenHours = (db: Database, before: number) =>
  db.run(
    sql`delete from open_hours where (project_id, hour_at, broadcast_id) in (
      select h.project_id, h.hour_at, h.broadcast_id from projects p
      cross join open_hours h on h.project_id = p.id and h.hour_at < ${before} limit ${ROWS_PER_STEP})`,
  );

/**
 * Ids of broadcasts narrow the search, but a broadcast may begin long after its draft was created.
 */
function forgetLinks(db: Database, before: number) {
  const old = sql`select c.project_id, c.broadcast_id, c.url from projects p
    cross join broadcast_links c on c.project_id = p.id and c.broadcast_id < ${uuidFloor(before)}
    where coalesce((select b.created_at from broadcasts b where b.id = c.broadcast_id), 0) < ${before}
    order by c.project_id, c.broadcast_id, c.url limit ${ROWS_PER_STEP}`;
  return [
    db.run(
      sql`insert into broadcast_counts (project_id, broadcast_id, clicked, clicked_human)
        select project_id, broadcast_id, sum(firsts), sum(firsts_human) from broadcast_links
        where (project_id, broadcast_id, url) in (${old}) group by project_id, broadcast_id
        on conflict do update set clicked = clicked + excluded.clicked,
          clicked_human = clicked_human + excluded.clicked_human`,
    ),
    db.run(sql`delete from broadcast_links where (project_id, broadcast_id, url) in (${old})`),
  ] as const;
}

/** Returns the statements that remove the visit counts of a deleted project, `limit` rows each. */
export function removeProjectVisits(db: Database, projectId: string, limit: number) {
  return [
    db.run(
      sql`delete from broadcast_counts where (project_id, broadcast_id) in (
        select project_id, broadcast_id from broadcast_counts where project_id = ${projectId} limit ${limit})`,
    ),
    db.run(
      sql`delete from broadcast_links where (project_id, broadcast_id, url) in (
        select project_id, broadcast_id, url from broadcast_links where project_id = ${projectId} limit ${limit})`,
    ),
    db.run(
      sql`delete from open_hours where (project_id, hour_at, broadcast_id) in (
        select project_id, hour_at, broadcast_id from open_hours where project_id = ${projectId} limit ${limit})`,
    ),
  ] as const;
}
