import type { emailLogs } from "../../db/schema/index.ts";

/** One finished mail as it enters the log; `sentAt` in milliseconds. */
export type LogEntry = Omit<
  typeof emailLogs.$inferSelect,
  "openedAt" | "clickedAt" | "openedClass" | "openedUserAgent" | "openedIp"
>;
