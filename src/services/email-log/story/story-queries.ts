import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import type { LogRow } from "../log-rows.ts";
import { fromWholeLog } from "../log-tables.ts";

/** An entry with the details that the log has of its first open. */
export interface EntryRow extends LogRow {
  openedClass: string | null;
  openedUserAgent: string | null;
  queueId: string | null;
  /** JSON. */
  earlier: string | null;
}

/** A recorded click of a mail. */
export interface ClickRow {
  url: string;
  class: string;
  userAgent: string;
  /** Milliseconds. */
  at: number;
}

/** The largest number of clicks in a story. */
const CLICKS_MAX = 100;

/** Selects the project's entry with this id: one look-up by primary key in each table. */
export function selectEntry(db: Database, projectId: string, id: string) {
  return db.all<EntryRow>(
    fromWholeLog(
      (
        log,
      ) => sql`select ${log.idText(sql`l.id`)} as id, ${log.idText(sql`l.project_id`)} as "projectId",
          ${log.idText(sql`l.subscriber_id`)} as "subscriberId", ${log.idText(sql`l.template_id`)} as "templateId",
          ${log.idText(sql`l.broadcast_id`)} as "broadcastId", l.to_email as "toEmail", ${log.subject} as subject,
          ${log.statusText(sql`l.status`)} as status, l.error, l.reason, l.tags, l.copies, l.sent_at as "sentAt",
          l.opened_at as "openedAt", l.clicked_at as "clickedAt", l.opened_class as "openedClass",
          l.opened_user_agent as "openedUserAgent", ${log.queueId} as "queueId",
          ${log.viaFallback} as "viaFallback", ${log.earlier} as earlier
        from ${log.name} l where l.id = ${log.id(id)} and l.project_id = ${log.id(projectId)}`,
    ),
  );
}

/** Selects the first clicks of a mail, oldest first. The caller has checked the mail's project. */
export function selectClicks(db: Database, logId: string) {
  return db.all<ClickRow>(
    sql`select url, class, user_agent as "userAgent", clicked_at as at from email_clicks
      where log_id = ${logId} order by id limit ${CLICKS_MAX}`,
  );
}
