import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { enqueue } from "./enqueue.ts";
import type { ChunkRow } from "./chunk-queries.ts";

/*
 * A broadcast to many begins with a sample. Planning takes its recipients out of the chunks and
 * puts them into chunks of their own, which hold nobody but recipients to try. All other chunks
 * wait until the outcomes of the sample were looked at (look-at-sample.ts).
 */

/**
 * The time until a look, and the due time of the chunks that wait for it, while nobody knows it.
 */
export const NOT_YET = 8.64e15;

/** The largest audience that gets no sample. */
export const UNSAMPLED_MAX = 1_000;

/** The recipients of a sample stand together in so many places: 1 in 100, or 50 at the least. */
export const TOGETHER = 5;
export const PLACES_MIN = 10;

/** The time between the first try of the last recipient of a sample and the look at it. */
const LOOK_AFTER_MS = 60_000;

/** The first character of the key of a sample's chunk, which comes before every id. */
const MARK = " ";
const AFTER_MARK = "!";

/** Returns the key of the chunk with the sample of the stretch after an id. */
export const sampleKey = (plannedId: string) => `${MARK}${plannedId}`;

export const isOfSample = ({ afterId }: Pick<ChunkRow, "afterId">) => afterId.startsWith(MARK);

/** Returns the SQL condition that a broadcast, the row `broadcasts`, has a chunk of a sample. */
export const hasSample = (when: SQL = sql`true`) =>
  sql`exists (select 1 from broadcast_ranges r where r.broadcast_id = broadcasts.id
    and r.after_id >= ${MARK} and r.after_id < ${AFTER_MARK} and ${when})`;

/**
 * Notes when to look at samples whose recipients all were tried, of one broadcast or of all.
 * Recipients whom the server deferred do not hold up the others.
 */
function noteLook(db: Database, now: number, id?: string) {
  const ofOne = id === undefined ? sql`` : sql` and id = ${id}`;
  return db.all<{ id: string }>(
    sql`update broadcasts set looks_at = ${now + LOOK_AFTER_MS}
      where state = 'sending' and looks_at = ${NOT_YET} and planned_id <> '' and planned_id >= cutoff_id${ofOne}
        and not ${hasSample(sql`r.pass = 0`)}
      returning id`,
  );
}

/** Begins the wait for a look where a sample was tried, and wakes a planner at its end. */
export async function awaitLook(deps: Deps, broadcastId?: string): Promise<void> {
  const noted = await noteLook(deps.db, deps.now(), broadcastId);
  const messages = noted.map(({ id }) => ({ type: "broadcast_plan", broadcastId: id }) as const);
  await enqueue(deps, messages, LOOK_AFTER_MS);
}
