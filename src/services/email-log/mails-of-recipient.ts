import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { LogRow } from "./log-rows.ts";
import { idText, statusText, storedId, storedIdSql, SUBJECT_OF_L } from "./stored-form.ts";

/** A logged mail to one recipient. */
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
 * mails of broadcasts with the given ids. Excludes entries older than `since`.
 */
export function selectMailsOfRecipient(
  db: Database,
  projectId: string,
  { email, ids, since, limit }: { email: string; ids: string[]; since: number; limit: number },
) {
  const direct = sql`select id from (select id from log_entries indexed by log_entries_by_recipient
    where project_id = ${storedId(projectId)} and to_email = ${email} and broadcast_id is null
    order by sent_at desc, id desc limit ${limit})`;
  const named = sql`select ${storedIdSql(sql`value`)} from json_each(${JSON.stringify(ids)})`;
  return db.all<RecipientMail>(
    sql`select ${idText(sql`l.id`)} as id, ${idText(sql`l.template_id`)} as "templateId",
        ${idText(sql`l.broadcast_id`)} as "broadcastId", ${SUBJECT_OF_L} as subject,
        ${statusText(sql`l.status`)} as status, l.error, l.reason, l.sent_at as "sentAt",
        l.opened_at as "openedAt", l.clicked_at as "clickedAt"
      from log_entries l where l.id in (${direct} union ${named})
        and +l.project_id = ${storedId(projectId)} and l.sent_at >= ${since}
      order by l.sent_at desc, l.id desc limit ${limit}`,
  );
}
