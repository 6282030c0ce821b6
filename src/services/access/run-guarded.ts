import { sql, type SQL } from "drizzle-orm";
import { runBatch, type BatchResults, type Database, type Statement } from "../../db/client.ts";
import { errorText } from "../../lib/log-line.ts";

const REFUSED = "the caller does not pass";

/**
 * Runs a check and the caller's reads in one round trip. D1 aborts a batch at its first error, so a
 * guard between check and reads fails for a caller for whom `passes` is false. The check then runs
 * again on its own, and `judge` throws the error that its results call for.
 */
export async function runGuarded<
  const Check extends readonly Statement[],
  const Reads extends readonly Statement[],
  Entered,
>(
  db: Database,
  { check, passes, reads }: { check: Check; passes: SQL; reads: Reads },
  judge: (checked: BatchResults<Check>) => Promise<Entered>,
): Promise<[Entered, BatchResults<Reads>]> {
  // An invalid JSON path raises an error that quotes it. SQLite allows `raise` only in triggers.
  const guard = db.run(sql`select json_extract('{}', iif(${passes}, '$', ${REFUSED}))`);
  let results: unknown[];
  try {
    results = await runBatch(db, [...check, ...(reads.length > 0 ? [guard] : []), ...reads]);
  } catch (error) {
    if (!errorText(error).includes(REFUSED)) throw error;
    await judge(await runBatch(db, check));
    throw error; // the caller has gained access since then
  }
  // `runBatch` returns the results in the order of the statements.
  const checked = results.slice(0, check.length) as BatchResults<Check>;
  const read = results.slice(check.length + 1) as BatchResults<Reads>;
  return [await judge(checked), read];
}
