import { sql } from "drizzle-orm";
import { runBatch, type Database } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { isDue } from "./chunk-queries.ts";
import { planBroadcast } from "./plan-broadcast.ts";

/**
 * The number of workers that one project may have. The queue has one more (wrangler.toml), so a
 * project whose server hangs never holds all of them.
 */
const WORKERS_OF_PROJECT = 5;

/** A chunk to try. */
export interface ChosenChunk {
  broadcastId: string;
  afterId: string;
}

/**
 * Chooses the chunk that is next in turn, or returns undefined if none is waiting. A message in the
 * queue stands for a turn, not for its own chunk, so the many messages of a large broadcast delay
 * no other project. First plans a broadcast whose own message waits behind them.
 */
export async function chooseChunk(deps: Deps): Promise<ChosenChunk | undefined> {
  const now = deps.now();
  const [[unplanned], [next]] = await runBatch(deps.db, [
    selectUnbegun(deps.db),
    selectNextInTurn(deps.db, now),
  ]);
  if (!unplanned) return next;
  try {
    await planBroadcast(deps, unplanned.id);
  } catch (error) {
    // A broadcast that cannot be planned must not stop those of other projects.
    logLine("error", "broadcast_work_failed", { message: unplanned.id, error: errorText(error) });
  }
  const [chosen] = await selectNextInTurn(deps.db, deps.now());
  return chosen;
}

/** Selects a broadcast that no planner has begun. */
function selectUnbegun(db: Database) {
  return db.all<{ id: string }>(
    sql`select id from broadcasts where state = 'sending' and planned_id = '' and cutoff_id <> '' limit 1`,
  );
}

/**
 * Selects the first due chunk of the broadcast that is next in turn. Projects with fewer workers
 * come first, then those whose last turn is longest ago. Broadcasts within a project follow the
 * same order. Rows read: the claimed chunks, and a few chunks of each broadcast that is sending.
 */
export function selectNextInTurn(db: Database, now: number) {
  return db.all<ChosenChunk>(
    sql`with workers as (
        select b.project_id as id, count(*) as n from broadcast_chunks c join broadcasts b on b.id = c.broadcast_id
        where c.state = 'claimed' and c.due_at > ${now} group by b.project_id
      ), waiting as (
        select b.id, b.project_id, b.turn_at, max(b.turn_at) over (partition by b.project_id) as project_turn_at,
          (select after_id from broadcast_chunks r where r.broadcast_id = b.id and r.state = 'pending'
            and ${isDue(now)} order by after_id limit 1) as after_id
        from broadcasts b where b.state = 'sending'
      )
      select w.id as "broadcastId", w.after_id as "afterId" from waiting w
        left join workers on workers.id = w.project_id
      where w.after_id is not null and coalesce(workers.n, 0) < ${WORKERS_OF_PROJECT}
      order by coalesce(workers.n, 0), w.project_turn_at, w.project_id, w.turn_at, w.id limit 1`,
  );
}
