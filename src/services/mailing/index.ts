export { BulkSender } from "./bulk-sender.ts";
export { NO_EXTRAS, type Extras, type LinkedFile } from "./compose.ts";
export type { JournalWork, Left, MailJournal } from "./journal.ts";
export { openSingleSender, type SingleSender } from "./single-sender.ts";
export type { Gate } from "./gate.ts";
export { forgetOperations, sweepAbandoned } from "./operations/sweep-operations.ts";
export type { Audience } from "./preview/audience.ts";
export { previewTemplate, type Preview } from "./preview/preview-template.ts";
export { ERRORS, WARNINGS } from "./preview/problems.ts";
export {
  sendTests,
  testReads,
  type TestOutcome,
  type TestRecipients,
} from "./preview/send-tests.ts";
export { Outbox } from "./outbox.ts";
export { resendMail } from "./resend-mail.ts";
export type { SendAnswer } from "../../project-object.ts";
export { beginBatch } from "./sources/batch/begin-batch.ts";
export type { BatchRecipient } from "./sources/batch/batch-recipient.ts";
export { forgetBatches } from "./sources/batch/forget-batches.ts";
export { getBatch, type BatchReport } from "./sources/batch/read-batch.ts";
export { batchLogIds, sizeOfBatch } from "./sources/batch/recipient-ids.ts";
export { sendBatch } from "./sources/batch/send-batch.ts";
export { forgetAttempt } from "./operations/recall-operation.ts";
export { factsOf, sendReads } from "./sources/single/send-facts.ts";
export type { MailOptions, NamedContent, SendInput } from "./sources/single/send-input.ts";
export { sendMail } from "./sources/single/send-mail.ts";
export {
  cancelScheduled,
  reschedule,
  type ScheduledKind,
} from "./sources/scheduled/change-scheduled.ts";
export {
  listScheduled,
  listScheduledMails,
  type Waiting,
} from "./sources/scheduled/list-scheduled.ts";
export { scheduleMail } from "./sources/scheduled/schedule-mail.ts";
export { selectScheduledMail, type ScheduledRow } from "./sources/scheduled/scheduled-queries.ts";
export type { WholeSend } from "./sources/scheduled/stored-send.ts";
export { recordLate } from "./record-later.ts";
export {
  readArchive,
  readArchivedMail,
  type ArchivedBroadcast,
  type ArchivedMail,
} from "./archive/read-archive.ts";
export { sendTestMail } from "./test-smtp.ts";
export { viewMail } from "./view-mail.ts";
