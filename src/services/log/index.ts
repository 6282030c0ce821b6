export { appendLog } from "./append-log.ts";
export { broadcastLogId } from "./broadcast-log-id.ts";
export { emailData } from "./email-events.ts";
export type { LogEntry } from "./log-entry.ts";
export { markBounced, type ReturnedMail } from "./mark-bounced.ts";
export { pruneLog, type Pruning } from "./prune-log.ts";
export {
  listLog,
  readStats,
  type LogFilter,
  type LogRow,
  type LogStats,
  type LogStatus,
} from "./read-log.ts";
export { logKeptFrom } from "./retention.ts";
