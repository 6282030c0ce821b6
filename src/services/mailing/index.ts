export { NO_EXTRAS, type Extras } from "./compose.ts";
export { isBlank } from "./decorate.ts";
export { openHub, type Hub } from "./hub/open-hub.ts";
export { takeTurn, type Gate } from "./hub/take-turn.ts";
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
export { resendMail } from "./resend-mail.ts";
export type { SendAnswer } from "./sources/answers.ts";
export { beginBatch } from "./sources/batch/begin-batch.ts";
export type { BatchRecipient } from "./sources/batch/batch-recipient.ts";
export { sendBatch } from "./sources/batch/send-batch.ts";
export { sendChunks } from "./sources/broadcast/send-chunks.ts";
export { sendTurn } from "./sources/broadcast/send-turn.ts";
export { sendPendingMail } from "./sources/pending/send-pending-mail.ts";
export { factsOf, sendReads, type SendNeeds } from "./sources/single/send-facts.ts";
export type { NamedContent, SendInput } from "./sources/single/send-input.ts";
export { sendMail } from "./sources/single/send-mail.ts";
export { settleLate } from "./settle-later.ts";
export { sendTestMail } from "./test-smtp.ts";
