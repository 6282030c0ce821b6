import type { emailLogs } from "../../db/schema/index.ts";

/** A finished mail as it enters the log. `sentAt` is in milliseconds. */
export type LogEntry = Omit<
  typeof emailLogs.$inferSelect,
  "openedAt" | "clickedAt" | "openedClass" | "openedUserAgent" | "openedIp"
>;
