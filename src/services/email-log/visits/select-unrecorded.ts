import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";

/**
 * A row of `selectUnrecorded`. `what` is the visit that a mail lacks, and `logged` is 0 if there is
 * no such mail; or it is a recorded click with this id; or a webhook.
 */
export interface BeforeRow {
  what: "open" | "click" | "recorded" | "webhook";
  logId: string;
  logged: number;
}

/**
 * Selects the given mails without a first open, the given mails without a first click, the recorded
 * ones of the given clicks, and whether anybody has an active webhook.
 */
export function selectUnrecorded(
  db: Database,
  opened: string[],
  clicked: string[],
  clicks: { logId: string; id: string }[],
) {
  const unvisited = (what: BeforeRow["what"], column: "opened_at" | "clicked_at", ids: string[]) =>
    sql`select ${what} as what, value as "logId", l.id is not null as logged
      from json_each(${JSON.stringify(ids)}) left join email_logs l on l.id = value
      where l.${sql.raw(column)} is null`;
  return db.all<BeforeRow>(
    sql`${unvisited("open", "opened_at", opened)}
      union all ${unvisited("click", "clicked_at", clicked)}
      union all select 'recorded', k.id, 1 from json_each(${JSON.stringify(clicks)}) cross join email_clicks k
        on k.log_id = value ->> 'logId' and k.id = value ->> 'id'
      union all select 'webhook', '', 0 where exists (select 1 from webhooks where active)`,
  );
}
