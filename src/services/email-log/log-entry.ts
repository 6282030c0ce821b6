import type { EarlierAttempt, logEntries } from "../../db/schema/index.ts";
import type { LogStatus } from "./stored-form.ts";

/** A finished mail to log. `sentAt` is in milliseconds. */
export interface LogEntry extends Pick<
  typeof logEntries.$inferSelect,
  "toEmail" | "error" | "reason" | "tags" | "copies" | "sentAt"
> {
  id: string;
  projectId: string;
  subscriberId: string | null;
  templateId: string | null;
  broadcastId: string | null;
  subject: string;
  status: LogStatus;
  /** 1 if the outcome is from the fallback server. */
  viaFallback?: number | null;
  /** 1 for a mail that no server gets. No total counts it. */
  test?: number | null;
  /** The queue id that the mail server assigned to the mail. */
  queueId?: string | null;
  /** The attempts before the last one, oldest first. */
  earlier?: EarlierAttempt[] | null;
}
