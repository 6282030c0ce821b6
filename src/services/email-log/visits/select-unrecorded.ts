import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { storedIdSql } from "../stored-form.ts";

/**
 * A row of `selectUnrecorded`. `open` and `click` are visits that a mail lacks (`logged` is 0 if
 * there is no such mail), `clicked` is a mail that was clicked before, `recorded` is a recorded
 * click with this id, and `webhook` means that an active webhook exists.
 */
export interface BeforeRow {
  what: "open" | "click" | "clicked" | "recorded" | "webhook";
  logId: string;
  logged: number;
  /** 1 for a mail of a broadcast, for `open`, `click` and `clicked`. */
  broadcast: number;
  /** 1 for a mail to a subscriber, for the same rows. */
  subscriber: number;
}

/**
 * Selects the given mails without a first open, the given clicked mails, the given clicks that are
 * already recorded, and whether any project has an active webhook.
 */
export function selectUnrecorded(
  db: Database,
  opened: string[],
  clicked: string[],
  clicks: { logId: string; id: string }[],
) {
  const visited = (what: SQL, ids: string[]) =>
    sql`select ${what} as what, value as "logId", l.id is not null as logged,
        l.broadcast_id is not null as broadcast, l.subscriber_id is not null as subscriber
      from json_each(${JSON.stringify(ids)}) left join log_entries l on l.id = ${storedIdSql(sql`value`)}`;
  const isClicked = sql`l.clicked_at is not null`;
  return db.all<BeforeRow>(
    sql`${visited(sql`'open'`, opened)} where l.opened_at is null
      union all ${visited(sql`iif(${isClicked}, 'clicked', 'click')`, clicked)}
      union all select 'recorded', k.id, 1, 0, 0 from json_each(${JSON.stringify(clicks)}) cross join email_clicks k
        on k.log_id = value ->> 'logId' and k.id = value ->> 'id'
      union all select 'webhook', '', 0, 0, 0 where exists (select 1 from webhooks where active)`,
  );
}
