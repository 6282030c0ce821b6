import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { ChunkRow } from "./chunk-queries.ts";

/*
 * A broadcast to many recipients begins with a canary. Planning moves the canary's recipients to
 * chunks of their own. All other chunks wait for the check of the canary's outcomes
 * (check-canary.ts).
 */

/** The time of a check that is not known yet, and the due time of the chunks that wait for it. */
export const NOT_YET = 8.64e15;

/** The largest audience that is sent without a canary. */
export const WITHOUT_CANARY_MAX = 1_000;

/**
 * The number of consecutive recipients of a canary, the distance between the beginnings of such
 * runs, and their minimum number. A canary is 1 in 100 recipients, but at least 50.
 */
export const TOGETHER = 5;
export const PERIOD = 500;
export const PLACES_MIN = 10;

/** The delay between the first attempt at the last recipient of a canary and its check. */
const CANARY_CHECK_AFTER_MS = 60_000;

/** The first character of the key of a canary's chunk. It sorts before every id. */
export const CANARY_MARK = " ";
const AFTER_MARK = "!";

export const isCanary = ({ afterId }: Pick<ChunkRow, "afterId">) => afterId.startsWith(CANARY_MARK);

/** Returns the SQL condition that a broadcast, the row `broadcasts`, has a canary chunk. */
export const hasCanary = (when: SQL = sql`true`) =>
  sql`exists (select 1 from broadcast_chunks r where r.broadcast_id = broadcasts.id
    and r.after_id >= ${CANARY_MARK} and r.after_id < ${AFTER_MARK} and ${when})`;

/**
 * Returns the statement that sets the time of the check once all recipients of a canary have been
 * tried. It belongs to each write that ends planning or an attempt at a canary's chunk. Deferred
 * recipients do not delay the check.
 */
export const awaitCanary = ({ db, now }: Pick<Deps, "db" | "now">, broadcastId: string) =>
  db.run(
    sql`update broadcasts set canary_due_at = ${now() + CANARY_CHECK_AFTER_MS}
      where id = ${broadcastId} and state = 'sending' and canary_due_at = ${NOT_YET}
        and planned_id <> '' and planned_id >= cutoff_id and not ${hasCanary(sql`r.attempt = 0`)}`,
  );
