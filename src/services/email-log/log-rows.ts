import { sql, type SQL } from "drizzle-orm";
import type { LogEntry } from "./log-entry.ts";
import { idText, statusText, SUBJECT_OF_L } from "./stored-form.ts";

/** An entry as the API shows it. Times are in milliseconds; tags and copies are JSON. */
export interface LogRow extends Omit<LogEntry, "tags" | "copies" | "earlier"> {
  tags: string | null;
  copies: string | null;
  openedAt: number | null;
  clickedAt: number | null;
}

/** Returns the value of a column in the table that has the entry of `page`. */
export const either = (column: string, inEntry: SQL = sql.raw(`l.${column}`)): SQL =>
  sql`coalesce(${inEntry}, ${sql.raw(`old.${column}`)})`;

export const eitherId = (column: string): SQL => either(column, idText(sql.raw(`l.${column}`)));

export const EITHER_SUBJECT = either("subject", SUBJECT_OF_L);
export const EITHER_STATUS = either("status", statusText(sql`l.status`));

/** The join of a subquery `page` of stored ids with both tables. */
export const JOIN_ENTRIES = sql`left join log_entries l on l.id = page.id
  left join email_logs old on old.id = page.id`;

/** The columns of a `LogRow`, over `JOIN_ENTRIES`. */
export const ROW_COLUMNS = sql`${eitherId("id")} as id, ${eitherId("project_id")} as "projectId", ${eitherId("subscriber_id")} as "subscriberId",
  ${eitherId("template_id")} as "templateId", ${eitherId("broadcast_id")} as "broadcastId",
  ${either("to_email")} as "toEmail", ${EITHER_SUBJECT} as subject,
  ${EITHER_STATUS} as status, ${either("error")} as error, ${either("reason")} as reason,
  ${either("tags")} as tags, ${either("copies")} as copies, ${either("sent_at")} as "sentAt",
  ${either("opened_at")} as "openedAt", ${either("clicked_at")} as "clickedAt",
  l.via_fallback as "viaFallback"`;
