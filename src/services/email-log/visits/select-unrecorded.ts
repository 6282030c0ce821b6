import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { storedIdSql } from "../stored-form.ts";

/**
 * A row of `selectUnrecorded`. `what` is the visit that a mail lacks, and `logged` is 0 if there is
 * no such mail; or it is a mail that was clicked before; or it is a recorded click with this id; or
 * a webhook.
 */
export interface BeforeRow {
  what: "open" | "click" | "clicked" | "recorded" | "webhook";
  logId: string;
  logged: number;
  /** 1 for a mail of a broadcast without this visit, or that was clicked before. */
  broadcast: number;
  /** 1 for such a mail to a subscriber. */
  subscriber: number;
}

/**
 * Selects the given mails without a first open, the given mails that were clicked, the recorded
 * ones of the given clicks, and whether anybody has an active webhook.
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
