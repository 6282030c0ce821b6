export { appendLog } from "./append-log.ts";
export { broadcastLogId } from "./broadcast-log-id.ts";
export { countComplaints } from "./count-complaints.ts";
export { bouncedEvents, type BounceNotice } from "./email-events.ts";
export {
  isLogged,
  isMailed,
  projectOfMail,
  selectMailOwners,
  selectMailsById,
  selectNewestMails,
  selectRecentMails,
  type LoggedMail,
  type MailOwner,
  type RecentMails,
} from "./find-entries.ts";
export type { LogEntry } from "./log-entry.ts";
export { selectMailsOfRecipient, type RecipientMail } from "./mails-of-recipient.ts";
export { markBounced } from "./mark-bounced.ts";
export { moveOldLog } from "./move-old-log.ts";
export { pruneLog } from "./prune-log.ts";
export { isLogPurged, purgeLog } from "./purge-log.ts";
export { acceptedSince } from "./reports/accepted-since.ts";
export { listLog, readStats, type LogRow } from "./read-log.ts";
export { logKeptFrom, selectShortenedLog } from "./retention.ts";
export { shareSubject } from "./share-subject.ts";
export type { LogStatus } from "./stored-form.ts";
