import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { outlivesAddresses } from "../../projects/index.ts";
import { eventStatement } from "../../webhooks/index.ts";
import { emailData } from "../email-events.ts";
import { addSelected } from "../rollups/add-to-rollups.ts";
import { bucketSql } from "../rollups/grains.ts";
import { idText } from "../stored-form.ts";
import { noteHumanClicks } from "./note-clicks.ts";
import { countClicks } from "./count-in-broadcasts.ts";
import { classAt, newClicksOf, type ClickRow } from "./visit-rows.ts";

/**
 * Returns the statements that record clicks of logged mails, each once and up to the limit; count
 * all of them by link; count the recorded ones in broadcasts; notify webhooks of those that have an
 * event id; and record human clicks on the subscribers. The insert makes the clicks known, so it
 * runs last.
 */
export function recordClicks(
  deps: Deps,
  rows: ClickRow[],
  { hasBroadcasts, hasSubscribers }: { hasBroadcasts: boolean; hasSubscribers: boolean },
): Statement[] {
  if (rows.length === 0) return [];
  const clicks = newClicksOf(JSON.stringify(rows));
  const isHeard = rows.some(({ eventId }) => eventId !== null);
  return [
    countByLink(deps.db, clicks),
    ...(isHeard ? [emitClicks(deps, clicks)] : []),
    ...(hasBroadcasts ? [countClicks(deps.db, clicks)] : []),
    ...(hasSubscribers ? noteHumanClicks(deps, rows, clicks) : []),
    insertClicks(deps, clicks),
  ];
}

/** Counts clicks by link, hour and day, for "top clicked links". */
function countByLink(db: Database, clicks: SQL) {
  return addSelected(
    db,
    ["clicks"],
    sql`with ${clicks}, hourly as (
        select ${idText(sql`l.project_id`)} as project_id, ${bucketSql(sql`click.at`, "hour")} as hour, click.url_hash, click.url, count(*) as n
        from unrecorded click cross join log_entries l on l.id = click.entry_id and l.test is null
        group by l.project_id, hour, click.url_hash)
      select project_id, 'link' as kind, url_hash as subject, url as label, hour as at, n as clicks from hourly`,
  );
}

/**
 * Notifies webhooks of clicks. The event omits the IP address of a click that is older than the
 * project's IP retention, because a sent event cannot be recalled.
 */
function emitClicks(deps: Deps, clicks: SQL) {
  const click = {
    url: sql`click.url`,
    user_agent: sql`click.user_agent`,
    ip: sql`click.ip`,
  };
  const data = emailData(sql`l.to_email`, click);
  const age = sql`${deps.now()} - click.at`;
  const isLate = outlivesAddresses(age, idText(sql`l.project_id`));
  return eventStatement(
    deps,
    sql`with ${clicks}
      select click.event_id as id, 'email.clicked' as type, ${idText(sql`l.project_id`)} as project_id, click.at,
        iif(${isLate}, json_remove(${data}, '$.ip'), ${data}) as data
      from fresh click cross join log_entries l on l.id = click.entry_id
      where l.to_email <> ''`,
  );
}

/** Returns the stored value of a click; empty if the recipient of its mail `l` is erased. */
const unlessErased = (value: SQL): SQL => sql`iif(l.to_email = '', '', ${value})`;

function insertClicks({ db }: Deps, clicks: SQL) {
  return db.run(
    sql`with ${clicks}
      insert into email_clicks (log_id, id, url, user_agent, ip_address, class, clicked_at)
      select click.log_id, click.id, ${unlessErased(sql`click.url`)}, ${unlessErased(sql`click.user_agent`)},
        ${unlessErased(sql`click.ip`)}, ${classAt(sql`click.class`, sql`click.at`)}, click.at
      from fresh click cross join log_entries l on l.id = click.entry_id
      where true on conflict (log_id, id) do nothing`,
  );
}
