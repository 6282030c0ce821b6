import { sql, type SQL } from "drizzle-orm";
import { runBatch, type BatchResults, type Database, type Statement } from "../../db/client.ts";
import { errorText } from "../../lib/log-line.ts";

/** The text of the guard's error. */
const REFUSED = "the caller does not pass";

/**
 * Runs a check and the caller's reads in one round trip. D1 stops a batch at its first error, so a
 * guard between them keeps the reads from a caller for whom `passes` is false: then the check runs
 * once more, alone. `judge` receives its results, and throws for a caller who does not pass.
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
  // A text that is no path is an error which repeats it. SQLite has `raise` in triggers alone.
  const guard = db.run(sql`select json_extract('{}', iif(${passes}, '$', ${REFUSED}))`);
  let results: unknown[];
  try {
    results = await runBatch(db, [...check, ...(reads.length > 0 ? [guard] : []), ...reads]);
  } catch (error) {
    if (!errorText(error).includes(REFUSED)) throw error;
    await judge(await runBatch(db, check));
    throw error; // the caller has come to pass since
  }
  // `runBatch` maps each result to the type that its statement names.
  const checked = results.slice(0, check.length) as BatchResults<Check>;
  const read = results.slice(check.length + 1) as BatchResults<Reads>;
  return [await judge(checked), read];
}
