import { sql, type SQL } from "drizzle-orm";
import type { LogEntry } from "./log-entry.ts";
import { idText, statusText, SUBJECT_OF_L } from "./stored-form.ts";

/** An entry as the API shows it. Times are in milliseconds; tags and copies are JSON. */
export interface LogRow extends Omit<LogEntry, "tags" | "copies" | "earlier"> {
  tags: string | null;
  copies: string | null;
  openedAt: number | null;
  clickedAt: number | null;
  /** The automation and step whose mail it is, or null; its broadcast is then one of theirs. */
  automationId: string | null;
  stepId: string | null;
}

const ofAutomation = (column: SQL) =>
  sql`(select ${column} from broadcasts b where b.id = ${idText(sql`l.broadcast_id`)})`;

/** An entry with the stored details of its attempts and its first open. */
export interface EntryRow extends LogRow {
  openedClass: string | null;
  openedUserAgent: string | null;
  queueId: string | null;
  /** JSON, as is `returned`. */
  earlier: string | null;
  returned: string | null;
}

/** The columns of a `LogRow`, selected from `l`. */
export const ROW_COLUMNS = sql`${idText(sql`l.id`)} as id, ${idText(sql`l.project_id`)} as "projectId",
  ${idText(sql`l.subscriber_id`)} as "subscriberId", ${idText(sql`l.template_id`)} as "templateId",
  ${idText(sql`l.broadcast_id`)} as "broadcastId", l.to_email as "toEmail", ${SUBJECT_OF_L} as subject,
  ${statusText(sql`l.status`)} as status, l.error, l.reason, l.tags, l.copies, l.sent_at as "sentAt",
  l.opened_at as "openedAt", l.clicked_at as "clickedAt", l.via_fallback as "viaFallback", l.test,
  ${ofAutomation(sql`b.automation_id`)} as "automationId", ${ofAutomation(sql`b.step_id`)} as "stepId"`;

/** The columns of an `EntryRow`, selected from `l`. */
export const ENTRY_COLUMNS = sql`${ROW_COLUMNS}, l.opened_class as "openedClass",
  l.opened_user_agent as "openedUserAgent", l.queue_id as "queueId", l.earlier, l.returned`;
