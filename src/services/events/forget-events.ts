import { sql } from "drizzle-orm";
import { runBatch } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { KEPT_DAYS } from "./event-queries.ts";

/** The limits of one night's cleanup, in steps of a size that D1 handles easily. */
const STEPS = 200;
const ROWS_PER_STEP = 1_000;

/**
 * Removes events received more than 90 days ago. Their numbers are in the order of their receipt,
 * so a step reads the rows that it removes and one more.
 */
export async function forgetEvents({ db, now }: Deps): Promise<void> {
  const before = now() - KEPT_DAYS * DAY_MS;
  for (let step = 0; step < STEPS; step++) {
    const [removed] = await runBatch(db, [
      db.run(
        sql`delete from events where seq < coalesce(
          (select min(seq) from (select seq, received_at from events order by seq limit ${ROWS_PER_STEP})
            where received_at >= ${before}),
          (select max(seq) + 1 from (select seq from events order by seq limit ${ROWS_PER_STEP})))`,
      ),
    ]);
    if (removed.meta.changes < ROWS_PER_STEP) return;
  }
}
