import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch, type Statement } from "../../db/client.ts";
import { logLine } from "../../lib/log-line.ts";
import { outlivesAddresses } from "../projects/index.ts";
import { noteRoom } from "./shorten-retention.ts";
import { storedIdSql, storedStatusSql, storedSubject } from "./stored-form.ts";

/** The largest number of entries in one step, so that no statement exceeds D1's time limit. */
const ENTRIES_PER_STEP = 1_000;

/**
 * The largest number of steps in one run, and the time after which a run begins no further step.
 */
const STEPS_PER_RUN = 20;
const MS_PER_RUN = 20_000;

/** The number of entries that a run moved, and true if some remain. */
export interface Move {
  entries: number;
  isMore: boolean;
}

/**
 * Moves entries of the old table, `email_logs`, to `log_entries`, at most 20,000 in one run. Each
 * step is one atomic batch, so an entry is always in exactly one of the tables, and a run that dies
 * loses nothing. The move keeps running every minute, because a Worker of an earlier version may
 * still write to the old table. An empty table costs one round trip that reads at most six rows.
 */
export async function moveOldLog(deps: Deps): Promise<Move> {
  const endsAt = deps.now() + MS_PER_RUN;
  const move: Move = { entries: 0, isMore: true };
  for (let step = 0; step < STEPS_PER_RUN && move.isMore && deps.now() < endsAt; step++) {
    const [, , moved] = await runBatch(deps.db, moveStatements(deps, OLDEST));
    move.entries += moved.meta.changes;
    move.isMore = moved.meta.changes === ENTRIES_PER_STEP;
  }
  if (move.entries === 0) return move;
  logLine("info", "log_moved", { ...move });
  await noteRoom(deps, move.entries);
  return move;
}

type MoveDeps = Pick<Deps, "db" | "now">;

const OLDEST = sql`select id from email_logs order by id limit ${ENTRIES_PER_STEP}`;

/**
 * Returns the statements that move these entries if they are in the old table. Without ids, the
 * list is empty. A batch that changes entries begins with these statements, so a bounce or visit of
 * an old entry is neither lost nor written to a row that another batch moves.
 */
export function moveEntries(deps: MoveDeps, ids: string[]): readonly Statement[] {
  if (ids.length === 0) return [];
  return moveStatements(
    deps,
    sql`select value as id from (select 1 from email_logs where id > '' limit 1) cross join json_each(${JSON.stringify(ids)})`,
  );
}

/**
 * The IP address of a first open. Null if its project does not keep addresses of that age
 * (empty-addresses.ts).
 */
const keptIp = (now: number): SQL => sql`iif(l.opened_ip is not null
  and ${outlivesAddresses(sql`${now} - l.opened_at`, sql`l.project_id`)}, null, l.opened_ip)`;

/** Returns the statements that move the entries of a query of ids. The last one removes them. */
function moveStatements({ db, now }: MoveDeps, ids: SQL) {
  const projectId = storedIdSql(sql`l.project_id`);
  const broadcastId = storedIdSql(sql`l.broadcast_id`);
  const moved = sql`(${ids}) as moved cross join email_logs l on l.id = moved.id`;
  return [
    db.run(
      sql`insert into log_subjects (project_id, broadcast_id, subject)
        select ${projectId}, ${broadcastId}, min(l.subject) from ${moved}
        where l.broadcast_id is not null group by l.project_id, l.broadcast_id
        on conflict do nothing`,
    ),
    db.run(
      sql`insert into log_entries (id, project_id, subscriber_id, template_id, broadcast_id, to_email, subject,
          status, error, reason, tags, copies, sent_at, opened_at, clicked_at, opened_class, opened_user_agent, opened_ip)
        select ${storedIdSql(sql`l.id`)}, ${projectId}, ${storedIdSql(sql`l.subscriber_id`)},
          ${storedIdSql(sql`l.template_id`)}, ${broadcastId}, l.to_email,
          ${storedSubject(sql`l.subject`, projectId, broadcastId)}, ${storedStatusSql(sql`l.status`)}, l.error,
          l.reason, l.tags, l.copies, l.sent_at, l.opened_at, l.clicked_at, l.opened_class, l.opened_user_agent, ${keptIp(now())}
        from ${moved} where true on conflict (id) do nothing`,
    ),
    db.run(sql`delete from email_logs where id in (${ids})`),
  ] as const;
}
