export { appendLog, type LogEntry } from "./append-log.ts";
export { broadcastLogId } from "./broadcast-log-id.ts";
export { markBounced, type ReturnedMail } from "./mark-bounced.ts";
export {
  listLog,
  readStats,
  type LogFilter,
  type LogRow,
  type LogStats,
  type LogStatus,
} from "./read-log.ts";
