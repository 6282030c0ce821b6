import { sql, type SQL } from "drizzle-orm";
import { runBatch, type Database } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { DAY_MS } from "../../../lib/durations.ts";
import { uuidFloor } from "../../../lib/ids.ts";
import { logKeptFrom } from "../retention.ts";
import { idText, storedIdSql } from "../stored-form.ts";
import { recountHumanClicks, type BroadcastOfMail } from "./count-in-broadcasts.ts";

/** The gap below which visits of different links of one mail count as automated. */
export const BURST_MS = 2_000;

/** The age of the mails whose clicks are checked; scanners visit a mail soon after its arrival. */
const CHECKED_MS = 7 * DAY_MS;

const CLICKS_PER_STEP = 20_000;
const STEPS = 50;

/** A text that sorts after every id, because ids are ASCII. */
const LAST_ID = "~";

/**
 * Marks recorded clicks as a scanner's that turn out to be part of a burst, and recounts the human
 * clicks of their broadcasts. A burst within one batch is recorded as such; this job finds those
 * that span batches. It begins with the newest mails. Each step is one atomic batch. Runs
 * every night.
 */
export async function correctClasses(deps: Deps): Promise<void> {
  const { db, now } = deps;
  const oldest = uuidFloor(Math.max(now() - CHECKED_MS, logKeptFrom(deps) ?? 0));
  let before = LAST_ID;
  for (let step = 0; step < STEPS && before > oldest; step += 1) {
    const [start] = await db.all<{ id: string }>(
      sql`select log_id as id from email_clicks where log_id >= ${oldest} and log_id < ${before}
        order by log_id desc limit 1 offset ${CLICKS_PER_STEP - 1}`,
    );
    const from = start?.id ?? oldest;
    await correctStep(db, burstsAmong(from, before));
    before = from;
  }
}

/**
 * Returns the CTE `bursts` of the clicks of these mails that are not marked as a scanner's although
 * another link of the same mail was visited within two seconds before or after.
 */
function burstsAmong(from: string, before: string): SQL {
  const burst = sql.raw(String(BURST_MS));
  return sql`bursts as materialized (
    select log_id, id from (
      select log_id, id, class, min(url) over around <> max(url) over around as is_burst
      from email_clicks where log_id >= ${from} and log_id < ${before}
      window around as (partition by log_id order by clicked_at
        range between ${burst} preceding and ${burst} following))
    where is_burst and class <> 'scanner')`;
}

async function correctStep(db: Database, bursts: SQL): Promise<void> {
  const broadcasts = await db.all<BroadcastOfMail>(
    sql`with ${bursts}
      select ${idText(sql`l.project_id`)} as "projectId", ${idText(sql`l.broadcast_id`)} as "broadcastId", min(log_id) as "logId"
      from (select distinct log_id from bursts) cross join log_entries l on l.id = ${storedIdSql(sql`log_id`)}
      where l.broadcast_id is not null group by l.project_id, l.broadcast_id`,
  );
  await runBatch(db, [
    db.run(
      sql`with ${bursts}
        update email_clicks set class = 'scanner' where (log_id, id) in (select log_id, id from bursts)`,
    ),
    ...broadcasts.map((broadcast) => recountHumanClicks(db, broadcast)),
  ]);
}
