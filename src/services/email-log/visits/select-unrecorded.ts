import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { storedIdSql } from "../stored-form.ts";

/**
 * A row of `selectUnrecorded`. `what` is the visit that a mail lacks, and `logged` is 0 if there is
 * no such mail; or it is a recorded click with this id; or a webhook; or a mail that has yet to move
 * from the old table (move-old-log.ts).
 */
export interface BeforeRow {
  what: "open" | "click" | "recorded" | "webhook" | "old";
  logId: string;
  logged: number;
}

/**
 * Selects the given mails without a first open, the given mails without a first click, the recorded
 * ones of the given clicks, whether anybody has an active webhook, and the mails in the old table. The
 * write of their visits begins with `moveEntries`.
 */
export function selectUnrecorded(
  db: Database,
  opened: string[],
  clicked: string[],
  clicks: { logId: string; id: string }[],
) {
  const unvisited = (what: BeforeRow["what"], column: "opened_at" | "clicked_at", ids: string[]) =>
    sql`select ${what} as what, value as "logId", l.id is not null or old.id is not null as logged
      from json_each(${JSON.stringify(ids)}) left join log_entries l on l.id = ${storedIdSql(sql`value`)}
        left join email_logs old on old.id = value
      where l.${sql.raw(column)} is null and old.${sql.raw(column)} is null`;
  return db.all<BeforeRow>(
    sql`${unvisited("open", "opened_at", opened)}
      union all ${unvisited("click", "clicked_at", clicked)}
      union all select 'recorded', k.id, 1 from json_each(${JSON.stringify(clicks)}) cross join email_clicks k
        on k.log_id = value ->> 'logId' and k.id = value ->> 'id'
      union all select 'webhook', '', 0 where exists (select 1 from webhooks where active)
      union all select 'old', old.id, 1 from (select 1 from email_logs where id > '' limit 1)
        cross join json_each(${JSON.stringify([...opened, ...clicked])}) cross join email_logs old on old.id = value`,
  );
}
