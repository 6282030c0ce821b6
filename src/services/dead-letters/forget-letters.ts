import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { uuidFloor } from "../../lib/ids.ts";
import { KEPT_MS } from "./retention.ts";

/**
 * The number of letters per statement. Their bodies may be large, and D1 limits a statement's time.
 */
const LETTERS_PER_STEP = 500;

/** Removes all dead letters that are older than 14 days, replayed or not. Runs every night. */
export async function forgetOldLetters({ db, now }: Deps): Promise<void> {
  const beforeId = uuidFloor(now() - KEPT_MS);
  let removed = LETTERS_PER_STEP;
  while (removed === LETTERS_PER_STEP) {
    const { meta } = await db.run(
      sql`delete from dead_letters where id in (
        select id from dead_letters where id < ${beforeId} order by id limit ${LETTERS_PER_STEP})`,
    );
    removed = meta.changes;
  }
}
