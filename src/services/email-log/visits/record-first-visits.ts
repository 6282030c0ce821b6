import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { noteOpens } from "../../subscribers/index.ts";
import { eventStatement } from "../../webhooks/index.ts";
import { emailData } from "../email-events.ts";
import { addSelected } from "../rollups/add-to-rollups.ts";
import { idText, storedStatus } from "../stored-form.ts";
import { countOpenHours, countOpens } from "./count-in-broadcasts.ts";
import { classAt, visitsOf, type VisitRow } from "./visit-rows.ts";

/**
 * Returns the statements that record the first open and the first click of mails without one,
 * update the totals, and notify webhooks of the opens that have an event id. They ignore mails that
 * are not in the log. The statements that update totals and notify webhooks check for unset values,
 * so they run before the values are set.
 */
export function recordFirstVisits(
  deps: Deps,
  rows: VisitRow[],
  { hasBroadcasts, hasSubscribers }: { hasBroadcasts: boolean; hasSubscribers: boolean },
): Statement[] {
  if (rows.length === 0) return [];
  const visits = JSON.stringify(rows);
  const opens = rows.filter(({ openAt }) => openAt !== null);
  const isHeard = opens.some(({ eventId }) => eventId !== null);
  return [
    moveTotals(deps.db, visits),
    ...(hasBroadcasts && opens.length > 0
      ? [countOpens(deps.db, visits), countOpenHours(deps.db, visits)]
      : []),
    ...(isHeard ? [emitOpens(deps, visits)] : []),
    ...(hasSubscribers && opens.length > 0 ? [noteFirstOpens(deps.db, visits)] : []),
    setFirstVisits(deps.db, visits),
  ];
}

/**
 * Counts first opens and first clicks of accepted mails in the totals and in the hour and day of
 * the mail. First opens of all mails also count in the hour and day of the open.
 */
function moveTotals(db: Database, visits: string) {
  return addSelected(
    db,
    ["opened", "clicked", "opens"],
    sql`with ${visitsOf(visits)}, firsts as materialized (
        select ${idText(sql`l.project_id`)} as project_id, l.sent_at, visit.open_at,
          l.status = ${storedStatus("sent")} as is_sent,
          l.opened_at is null and visit.open_at is not null as opened,
          l.clicked_at is null and visit.click_at is not null as clicked
        from visits visit cross join log_entries l on l.id = visit.entry_id and l.test is null)
      select project_id, 'log' as kind, '' as subject, '' as label, sent_at as at, opened, clicked, 0 as opens
      from firsts where is_sent and (opened or clicked)
      union all
      select project_id, 'log', '', '', open_at, 0, 0, 1 from firsts where opened`,
  );
}

/** Notifies webhooks of first opens. */
function emitOpens(deps: Deps, visits: string) {
  return eventStatement(
    deps,
    sql`with ${visitsOf(visits)}
      select visit.event_id as id, 'email.opened' as type, ${idText(sql`l.project_id`)} as project_id, visit.open_at as at,
        ${emailData(sql`l.to_email`)} as data
      from visits visit cross join log_entries l on l.id = visit.entry_id
      where l.opened_at is null and visit.open_at is not null and l.to_email <> ''`,
  );
}

/** Records the first opens of mails to subscribers, except those by scanners. */
function noteFirstOpens(db: Database, visits: string) {
  return noteOpens(
    db,
    sql`with ${visitsOf(visits)}
      select ${idText(sql`l.subscriber_id`)} as id, ${idText(sql`l.project_id`)} as project_id, visit.open_at as at
      from visits visit cross join log_entries l on l.id = visit.entry_id
      where l.opened_at is null and visit.open_at is not null and l.subscriber_id is not null
        and l.test is null and ${classAt(sql`visit.class`, sql`visit.open_at`)} <> 'scanner'`,
  );
}

/** Returns the stored value of a visitor; null if the recipient of the mail is erased. */
const unlessErased = (value: SQL): SQL => sql`iif(to_email = '', null, ${value})`;

/** Sets the first open and the first click of mails without one. */
function setFirstVisits(db: Database, visits: string) {
  const isFirst = sql`opened_at is null and visit.open_at is not null`;
  const once = (column: string, value: SQL) => {
    const name = sql.raw(column);
    return sql`${name} = case when ${isFirst} then ${value} else ${name} end`;
  };
  return db.run(
    sql`with ${visitsOf(visits)}
      update log_entries set clicked_at = coalesce(clicked_at, visit.click_at),
        ${once("opened_class", classAt(sql`visit.class`, sql`visit.open_at`))},
        ${once("opened_user_agent", unlessErased(sql`visit.user_agent`))},
        ${once("opened_ip", unlessErased(sql`visit.ip`))},
        opened_at = coalesce(opened_at, visit.open_at)
      from visits visit
      where log_entries.id = visit.entry_id
        and (${isFirst} or (clicked_at is null and visit.click_at is not null))`,
  );
}
