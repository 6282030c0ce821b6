import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../../deps.ts";
import { runBatch, type Database } from "../../../db/client.ts";
import { DAY_MS } from "../../../lib/durations.ts";
import { uuidFloor } from "../../../lib/ids.ts";
import { clickIpDays } from "../../projects/index.ts";
import { idText, storedIdSql } from "../stored-form.ts";

/** The number of mails per step, and of steps per run. */
const MAILS_PER_STEP = 5_000;
const STEPS_PER_RUN = 50;

/** The scope of the scan in `ip_retention`. */
const SCAN = "visits";

/** The interval between scans. */
const SCAN_EVERY_MS = DAY_MS;

/** A scan: when it began, and the last mail that it has reached; null at its end. */
interface Scan {
  began: number;
  place: string | null;
}

/**
 * Removes the IP addresses of visits that are older than the project's retention of IP addresses,
 * by a scan of the mails once a day. Mail ids are in time order, so the scan follows the primary
 * key and stops at mails that are too new to have such a visit. Each run is bounded, and the next
 * one continues where it ended. Runs every five minutes.
 */
export async function emptyAddresses(deps: Deps): Promise<void> {
  const { db } = deps;
  const now = deps.now();
  const [[scan], [shortest]] = await runBatch(db, [
    db.all<Scan>(sql`select until as began, place from ip_retention where scope = ${SCAN}`),
    db.all<{ days: number | null }>(sql`select min(${clickIpDays}) as days from projects p`),
  ]);
  const isOver = scan?.place == null;
  if (isOver && scan && now - scan.began < SCAN_EVERY_MS) return;
  const began = isOver ? now : scan.began;
  const last = uuidFloor(Math.max(0, now - (shortest?.days ?? 0) * DAY_MS));
  let place = isOver ? uuidFloor(0) : scan.place;
  for (let step = 0; step < STEPS_PER_RUN && place !== null; step += 1) {
    const [end]: { id: string }[] = await db.all<{ id: string }>(
      sql`select ${idText(sql`id`)} as id from log_entries
        where id > ${bytesOf(place)} and id < ${bytesOf(last)}
        order by id limit 1 offset ${MAILS_PER_STEP - 1}`,
    );
    const writes = emptyBetween(db, now, place, end?.id ?? last);
    place = end?.id ?? null;
    await runBatch(db, [...writes, notePlace(db, { began, place })]);
  }
}

/** Returns the bytes of an id or of its beginning. */
const bytesOf = (id: string) => sql`unhex(${id}, '-')`;

/** Returns the statements that remove old addresses from the visits of the mails of a step. */
function emptyBetween(db: Database, now: number, after: string, end: string) {
  const isOld = (at: SQL, project: SQL) =>
    sql`${at} < ${now} - ${DAY_MS} * coalesce((
      select ${clickIpDays} from projects p where p.id = ${idText(project)}), 0)`;
  const ofClick = sql`(select l.project_id from log_entries l
    where l.id = ${storedIdSql(sql`email_clicks.log_id`)})`;
  return [
    db.run(
      sql`update log_entries set opened_ip = null
        where id > ${bytesOf(after)} and id <= ${bytesOf(end)} and opened_ip is not null
          and ${isOld(sql`opened_at`, sql`log_entries.project_id`)}`,
    ),
    db.run(
      sql`update email_clicks set ip_address = ''
        where log_id > ${after} and log_id <= ${end} and ip_address <> ''
          and ${isOld(sql`clicked_at`, ofClick)}`,
    ),
  ];
}

function notePlace(db: Database, { began, place }: Scan) {
  return db.run(
    sql`insert into ip_retention (scope, until, place) values (${SCAN}, ${began}, ${place})
      on conflict do update set until = excluded.until, place = excluded.place`,
  );
}
