import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../../deps.ts";
import { runBatch, type Database } from "../../../db/client.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/durations.ts";
import { uuidFloor } from "../../../lib/ids.ts";
import { clickIpDays, LONGEST_IP_DAYS } from "../../projects/index.ts";
import { idText, storedIdSql } from "../stored-form.ts";

/** The number of visits per step, and of steps per run for clicks and for opens. */
const VISITS_PER_STEP = 1_000;
const STEPS_PER_RUN = 50;

/** The scope of the scan of clicks. */
const WALK = "clicks:walk";

/** The interval between scans of the clicks. */
const WALK_EVERY_MS = DAY_MS;

/**
 * How far removal lags behind its due time. A visit recorded later is stored without an address.
 */
export const LATEST_RECORD_MS = HOUR_MS;

/**
 * Removes the IP addresses of visits that are older than the project's retention of IP addresses.
 * Each run is bounded, and the next one continues where it ended. Runs every five minutes.
 */
export async function emptyAddresses(deps: Deps): Promise<void> {
  await emptyOpens(deps);
  await emptyClicks(deps);
}

/** The state of a scan of the clicks. */
interface Walk {
  until: number;
  place: string | null;
}

/**
 * Scans, once a day, the clicks of mails that are between one and two retention periods old. Clicks
 * of older mails have no addresses left, and those of newer mails keep theirs. Mail ids are in time
 * order, so the scan follows the primary key. The first scan covers the clicks of all older mails.
 */
async function emptyClicks(deps: Deps): Promise<void> {
  const { db } = deps;
  const now = deps.now();
  const [[walk], [known], [bounds]] = await runBatch(db, [
    db.all<Walk>(sql`select until, place from ip_retention where scope = ${WALK}`),
    db.all<Walk>(sql`select until, place from ip_retention where scope = ${LONGEST_IP_DAYS}`),
    db.all<{ least: number; most: number }>(
      sql`select coalesce(min(${clickIpDays}), 0) as least, coalesce(max(${clickIpDays}), 0) as most from projects p`,
    ),
  ]);
  const { least, most } = bounds ?? { least: 0, most: 0 };
  const isOver = walk?.place == null;
  if (isOver && walk && now - walk.until < WALK_EVERY_MS) return;
  const began = isOver ? now : walk.until;
  const longest = longestOf(known, most, now);
  if (longest !== known) await noteLongest(db, known, longest);
  const oldest = walk ? began - (2 * Number(longest.place) + 2) * DAY_MS : 0;
  const last = uuidFloor(Math.max(0, began - least * DAY_MS + DAY_MS));
  let place: string | null = isOver ? uuidFloor(Math.max(0, oldest)) : walk.place;
  for (let step = 0; step < STEPS_PER_RUN && place !== null; step += 1) {
    const [end]: { id: string }[] = await db.all<{ id: string }>(
      sql`select log_id as id from email_clicks where log_id > ${place} and log_id < ${last}
        order by log_id limit 1 offset ${VISITS_PER_STEP - 1}`,
    );
    const until = end ? sql`log_id <= ${end.id}` : sql`log_id < ${last}`;
    const days = sql`(select ${clickIpDays} from log_entries l
      cross join projects p on p.id = ${idText(sql`l.project_id`)}
      where l.id = ${storedIdSql(sql`email_clicks.log_id`)})`;
    const write = sql`update email_clicks set ip_address = ''
      where log_id > ${place} and ${until} and ip_address <> ''
        and clicked_at < ${now} - coalesce(${days}, 0) * ${DAY_MS}`;
    place = end?.id ?? null;
    await runBatch(db, [db.run(write), notePlace(db, { scope: WALK, until: began, place })]);
  }
}

/**
 * Returns the retention, in days, that a scan must cover to find all clicks with an address, and
 * the time when a project last had it. After a project shortens its retention, its old mails still
 * have clicks from the longer period, so the scan covers that period until those are gone. Each
 * shortening records the longer period (projects/remember-ip-days.ts).
 */
function longestOf(known: Walk | undefined, most: number, now: number): Walk {
  const days = Number(known?.place ?? 0);
  const isLonger = known !== undefined && days > most;
  return isLonger && now - known.until <= (days + 2) * DAY_MS
    ? known
    : { until: now, place: String(most) };
}

/** Stores the longest retention, unless a shortening has stored another since it was read. */
async function noteLongest(db: Database, known: Walk | undefined, { until, place }: Walk) {
  await runBatch(db, [
    db.run(
      sql`insert into ip_retention (scope, until, place) values (${LONGEST_IP_DAYS}, ${until}, ${place})
        on conflict do update set until = excluded.until, place = excluded.place
          where until = ${known?.until ?? null} and place = ${known?.place ?? null}`,
    ),
  ]);
}

/** The opens of one project, and how far they have been processed. */
interface Opens extends Pick<Walk, "until"> {
  id: string;
  scope: string;
  cutoff: number;
}

/** Removes the addresses of opens, per project in chronological order, each once. */
async function emptyOpens(deps: Deps): Promise<void> {
  const { db } = deps;
  const scope = sql`'opens:' || p.id || ':' || ${clickIpDays}`;
  const cutoffOf = sql`${deps.now() - LATEST_RECORD_MS} - ${clickIpDays} * ${DAY_MS}`;
  const isOpen = (projectId: SQL, from: SQL, to: SQL) =>
    sql`project_id = ${projectId} and opened_at is not null and opened_at >= ${from} and opened_at < ${to}`;
  const spans = await db.all<Opens>(
    sql`select p.id, ${scope} as scope, coalesce(r.until, 0) as until, ${cutoffOf} as cutoff
      from projects p left join ip_retention r on r.scope = ${scope}
      where exists (select 1 from log_entries indexed by log_entries_by_open
        where ${isOpen(storedIdSql(sql`p.id`), sql`coalesce(r.until, 0)`, cutoffOf)})
      order by until limit ${STEPS_PER_RUN}`,
  );
  for (const { id, until, cutoff, scope: name } of spans) {
    const stored = storedIdSql(sql`${id}`);
    const [last] = await db.all<{ at: number }>(
      sql`select opened_at as at from log_entries indexed by log_entries_by_open
        where ${isOpen(stored, sql`${until}`, sql`${cutoff}`)}
        order by opened_at limit 1 offset ${VISITS_PER_STEP - 1}`,
    );
    const end = last ? last.at + 1 : cutoff;
    const write = sql`update log_entries indexed by log_entries_by_open set opened_ip = null
      where ${isOpen(stored, sql`${until}`, sql`${end}`)} and opened_ip is not null`;
    const place = { scope: name, until: end, place: null };
    await runBatch(db, [db.run(write), notePlace(db, place)]);
  }
}

function notePlace(db: Database, { scope, until, place }: Walk & { scope: string }) {
  return db.run(
    sql`insert into ip_retention (scope, until, place) values (${scope}, ${until}, ${place})
      on conflict do update set until = excluded.until, place = excluded.place`,
  );
}
