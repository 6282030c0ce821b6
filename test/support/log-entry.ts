import type { LogEntry } from "../../src/services/email-log/index.ts";

/** A new log entry by default: accepted, to an address without a subscriber. */
export function logEntry(
  projectId: string,
  change: Partial<LogEntry> & Pick<LogEntry, "sentAt">,
): LogEntry {
  return {
    id: crypto.randomUUID(),
    projectId,
    subscriberId: null,
    templateId: null,
    broadcastId: null,
    toEmail: "to@any.test",
    subject: "Hello",
    status: "sent",
    error: null,
    reason: null,
    tags: null,
    copies: null,
    ...change,
  };
}
