export { selectBatchKey, selectLogKeys, selectRunMails } from "./log-keys.ts";
export { appendLog } from "./append-log.ts";
export { broadcastLogId } from "./broadcast-log-id.ts";
export { delayedEvents } from "./email-events.ts";
export { countComplaints } from "./count-complaints.ts";
export { reportEvents } from "./report-events.ts";
export {
  isLogged,
  projectOfMail,
  selectMailsById,
  selectNewestMails,
  selectOutcomes,
  selectRecentMails,
  type LoggedMail,
  type LoggedOutcome,
  type RecentMails,
} from "./find-entries.ts";
export type { LogEntry } from "./log-entry.ts";
export { SMTP_TEST_TAG } from "./uncounted.ts";
export { markBounced } from "./mark-bounced.ts";
export { holdsForeignEntries, restoreEntries } from "./transfer/restore-entries.ts";
export { MOVED_LOG, selectLogPage, startOfLog, type LogPlace } from "./transfer/select-log-page.ts";
export { accepted, acceptedOfResends, failed, notOpened } from "./accepted.ts";
export { isUnknown, OPTED_OUT, OUTCOME_UNKNOWN } from "./logged-errors.ts";
export { pruneLog } from "./prune-log.ts";
export { isLogPurged, purgeEntries, purgeLog } from "./purge-log.ts";
export { VARIANT_TAG } from "./reports/variant-outcomes.ts";
export { acceptedSince } from "./reports/accepted-since.ts";
export type { LogRow } from "./log-rows.ts";
export { listLog, readStats } from "./read-log.ts";
export { logKeptFrom } from "./retention.ts";
export type { LogKey, LogSearch, Recipient } from "./search/log-search.ts";
export { searchBatch, type BatchMails } from "./search/search-batch.ts";
export { searchLog } from "./search/search-log.ts";
export { shareSubject } from "./share-subject.ts";
export type { LogStatus } from "./stored-form.ts";
export { readTimeline, type Timeline } from "./timeline/read-timeline.ts";
export { requireEntry } from "./timeline/require-entry.ts";
export { correctClasses } from "./visits/correct-classes.ts";
export { emptyAddresses } from "./visits/empty-addresses.ts";
export { VISITS, type VisitFilter } from "./visits/made-visit.ts";
export { forgetVisits } from "./visits/remove-visits.ts";
export { selectEntry } from "./timeline/timeline-queries.ts";
export {
  eraseEntries,
  scanForSubject,
  SCANNED_STATUSES,
  selectDirectMails,
  type ScanPlace,
} from "./erase-entries.ts";
export {
  selectClicksAfter,
  selectFirstClicks,
  selectVisitedEntries,
  type KeptClick,
  type VisitedEntry,
} from "./export-mails.ts";
