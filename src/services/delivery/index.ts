export { forgetOperations, sweepAbandoned } from "./abandoned.ts";
export type { Counts, SendAnswer } from "./answers.ts";
export { NO_EXTRAS, type Extras } from "./compose-mail.ts";
export type { SendInput } from "./draft.ts";
export type { Idempotency } from "./idempotency.ts";
export { sendBatch, type BatchInput } from "./send-batch.ts";
export { factsOf, sendReads, type SendFacts, type SendNeeds } from "./send-facts.ts";
export { sendMail, type SendOptions } from "./send-mail.ts";
export { sendTestMail } from "./test-smtp.ts";
