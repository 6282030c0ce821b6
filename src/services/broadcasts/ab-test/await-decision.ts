import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { HOUR_MS } from "../../../lib/durations.ts";
import { NOT_YET } from "../canary.ts";

/**
 * Returns the statement that starts the wait for the winner of A/B tests whose variants have
 * reached all their recipients. A manual decision has no due time.
 */
export function awaitDecision(db: Database, now: number) {
  return db.run(
    sql`update broadcasts set decides_at = cast(${now} + (plan ->> '$.ab.waitHours') * ${HOUR_MS} as integer)
      where state = 'sending' and decides_at = ${NOT_YET} and planned_id >= cutoff_id
        and plan ->> '$.ab.by' <> 'manual'
        and not exists (select 1 from broadcast_chunks r where r.broadcast_id = broadcasts.id)`,
  );
}
