import { sql, type SQL } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import {
  addBuckets,
  addOpenHours,
  bucketsOf,
  type Addition,
} from "../../src/services/email-log/rollups/index.ts";
import { withDatabase } from "../accounts/with-database.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_OF_HISTORY = 75;
const HOUR_OF_SENDING = 9;

/** Weekly newsletters go out on Tuesdays; other days have only receipts. */
const LETTER_DAY = 2;

const COUNTERS = ["sent", "failed", "bounced", "opened", "clicked"] as const;

/** The share of the opens of a letter in each hour after it was sent, in thousandths. */
const OPENS_AFTER = [310, 170, 90, 60, 45, 40, 35, 40, 50, 45, 30, 15, 8, 4, 2, 2, 3, 5, 8, 12, 10];

/** Writes the totals of past days, as the service would have counted them. */
export function writeHistory(stateDir: string, projectId: string): Promise<void> {
  const random = createRandom(20_261_122);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const days = Array.from({ length: DAYS_OF_HISTORY }, (_, ago): Addition => {
    const at = today - (DAYS_OF_HISTORY - ago) * DAY_MS;
    const isLetterDay = new Date(at).getUTCDay() === LETTER_DAY;
    const sent = isLetterDay ? 2_150 + random(120) : 60 + random(70);
    const opened = Math.round(sent * (isLetterDay ? 0.41 : 0.72));
    const clicked = Math.round(opened * 0.18);
    const counters = { sent, failed: random(4), bounced: Math.round(sent / 160), opened, clicked };
    return { kind: "log", subject: "", at: at + HOUR_OF_SENDING * HOUR_MS, counters };
  });
  const buckets = JSON.stringify(bucketsOf(COUNTERS, days));
  const place = { projectId: sql`${projectId}`, buckets: sql`${buckets}` };
  return withDatabase({ kind: "local", stateDir }, async (database) => {
    await database.execute([
      `${literalSql(addBuckets(COUNTERS, place, sql`true`))};`,
      `${literalSql(lettersOpened(projectId, days))};`,
    ]);
  });
}

/** Returns the SQL that adds the opens by hour of the letters among the days. */
function lettersOpened(projectId: string, days: Addition[]): SQL {
  const letters = days.filter(({ at }) => new Date(at).getUTCDay() === LETTER_DAY);
  const hours = letters.flatMap(({ at, counters: { opened = 0 } }) =>
    OPENS_AFTER.map((share, n) => ({ at: at + n * HOUR_MS, opens: (opened * share) / 1_000 })),
  );
  return addOpenHours(sql`select ${projectId}, value ->> 'at', 'letter', cast(value ->> 'opens' as integer)
    from json_each(${JSON.stringify(hours)}) where true`);
}

/** Writes the opens of the broadcasts in the hours to come, as if some days had passed. */
export function writeOpens(stateDir: string, projectId: string): Promise<void> {
  const statement =
    addOpenHours(sql`select project_id, created_at - created_at % ${HOUR_MS} + h.key * ${HOUR_MS}, broadcasts.id, h.value / 8
    from broadcasts cross join json_each(${JSON.stringify(OPENS_AFTER)}) h
    where project_id = ${projectId} and kind = 'broadcast' and h.key > 0`);
  return withDatabase({ kind: "local", stateDir }, async (database) => {
    await database.execute([`${literalSql(statement)};`]);
  });
}

const literalSql = (statement: SQL) =>
  new SQLiteSyncDialect().sqlToQuery(statement.inlineParams()).sql;

/** Creates a deterministic random generator that returns numbers from 0 to below `most`. */
function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
}
