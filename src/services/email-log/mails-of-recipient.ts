import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { fromWholeLog } from "./log-tables.ts";
import type { LogRow } from "./log-rows.ts";

/** A mail to one recipient, as the log has it. */
export type RecipientMail = Pick<
  LogRow,
  | "id"
  | "templateId"
  | "broadcastId"
  | "subject"
  | "status"
  | "error"
  | "reason"
  | "sentAt"
  | "openedAt"
  | "clickedAt"
>;

/**
 * Selects the newest mails to a recipient: those to the address outside of broadcasts, and the
 * mails of broadcasts with the given ids. Leaves out entries older than `since`.
 */
export function selectMailsOfRecipient(
  db: Database,
  projectId: string,
  { email, ids, since, limit }: { email: string; ids: string[]; since: number; limit: number },
) {
  const mails = fromWholeLog((log) => {
    const direct = sql`select id from (select id from ${log.name} indexed by ${log.byRecipient}
      where project_id = ${log.id(projectId)} and to_email = ${email} and broadcast_id is null
      order by sent_at desc, id desc limit ${limit})`;
    const named = sql`select ${log.idSql(sql`value`)} from json_each(${JSON.stringify(ids)})`;
    const text = (column: SQL) => log.idText(column);
    return sql`select ${text(sql`l.id`)} as id, ${text(sql`l.template_id`)} as "templateId",
        ${text(sql`l.broadcast_id`)} as "broadcastId", ${log.subject} as subject,
        ${log.statusText(sql`l.status`)} as status, l.error, l.reason, l.sent_at as "sentAt",
        l.opened_at as "openedAt", l.clicked_at as "clickedAt"
      from ${log.name} l where l.id in (${direct} union ${named})
        and +l.project_id = ${log.id(projectId)} and l.sent_at >= ${since}`;
  });
  return db.all<RecipientMail>(
    sql`select * from (${mails}) order by "sentAt" desc, id desc limit ${limit}`,
  );
}
