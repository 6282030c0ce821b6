export { appendLog } from "./append-log.ts";
export { broadcastLogId } from "./broadcast-log-id.ts";
export { emailData } from "./email-events.ts";
export type { LogEntry } from "./log-entry.ts";
export { markBounced } from "./mark-bounced.ts";
export { pruneLog } from "./prune-log.ts";
export { listLog, readStats, type LogRow, type LogStatus } from "./read-log.ts";
export { logKeptFrom } from "./retention.ts";
