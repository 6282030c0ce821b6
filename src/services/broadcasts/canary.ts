import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { enqueue } from "./enqueue.ts";
import type { ChunkRow } from "./chunk-queries.ts";

/*
 * A broadcast to many recipients begins with a canary. Planning takes the recipients of the canary
 * out of the chunks and puts them into separate chunks, which hold nobody but recipients to try.
 * All other chunks wait for the check of the outcomes of the canary (check-canary.ts).
 */

/**
 * The time of a look that is not known yet, and the due time of the chunks that wait for that look.
 */
export const NOT_YET = 8.64e15;

/** The largest audience that does not get a canary. */
export const WITHOUT_CANARY_MAX = 1_000;

/**
 * The number of recipients of a canary in a row, and the least number of such places. A canary is 1
 * in 100 recipients, or at least 50.
 */
export const TOGETHER = 5;
export const PLACES_MIN = 10;

/** The time between the first try of the last recipient of a canary and the check of it. */
const CANARY_CHECK_AFTER_MS = 60_000;

/** The first character of the key of a canary's chunk. It sorts before every id. */
const MARK = " ";
const AFTER_MARK = "!";

/** Returns the key of the chunk with the canary of the stretch after an id. */
export const canaryKey = (plannedId: string) => `${MARK}${plannedId}`;

export const isCanary = ({ afterId }: Pick<ChunkRow, "afterId">) => afterId.startsWith(MARK);

/** Returns the SQL condition that a broadcast, the row `broadcasts`, has a chunk of a canary. */
export const hasCanary = (when: SQL = sql`true`) =>
  sql`exists (select 1 from broadcast_chunks r where r.broadcast_id = broadcasts.id
    and r.after_id >= ${MARK} and r.after_id < ${AFTER_MARK} and ${when})`;

/**
 * Records when to check canaries whose recipients have all been tried, of one broadcast or of all.
 * Recipients whom the server deferred do not hold up the others.
 */
function noteLook(db: Database, now: number, id?: string) {
  const ofOne = id === undefined ? sql`` : sql` and id = ${id}`;
  return db.all<{ id: string }>(
    sql`update broadcasts set canary_due_at = ${now + CANARY_CHECK_AFTER_MS}
      where state = 'sending' and canary_due_at = ${NOT_YET} and planned_id <> '' and planned_id >= cutoff_id${ofOne}
        and not ${hasCanary(sql`r.attempt = 0`)}
      returning id`,
  );
}

/**
 * Begins the wait for the check where a canary has been tried, and wakes a planner when the wait ends.
 */
export async function awaitCanary(deps: Deps, broadcastId?: string): Promise<void> {
  const noted = await noteLook(deps.db, deps.now(), broadcastId);
  const messages = noted.map(({ id }) => ({ type: "broadcast_plan", broadcastId: id }) as const);
  await enqueue(deps, messages, CANARY_CHECK_AFTER_MS);
}
