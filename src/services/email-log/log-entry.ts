import type { EarlierAttempt, logEntries } from "../../db/schema/index.ts";
import type { LogStatus } from "./stored-form.ts";

/** A finished mail as it enters the log. `sentAt` is in milliseconds. */
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
  /** 1 if the outcome is that of the fallback server. */
  viaFallback?: number | null;
  /** The id that the mail server gave the mail. */
  queueId?: string | null;
  /** The attempts before the last one, the oldest first. */
  earlier?: EarlierAttempt[] | null;
}
