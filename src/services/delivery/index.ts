export { forgetOperations, sweepAbandoned } from "./abandoned.ts";
export type { Counts, SendAnswer } from "./answers.ts";
export {
  assembleMail,
  NO_EXTRAS,
  unsubscribeFooter,
  unsubscribeLine,
  type Extras,
} from "./compose-mail.ts";
export { deliverAll, type ClaimedMail, type Ledger } from "./deliver-all.ts";
export type { NamedContent, SendInput } from "./draft.ts";
export type { Idempotency } from "./idempotency.ts";
export { leaseEnd } from "./lease.ts";
export { requireBody } from "./require-body.ts";
export { runSettle } from "./run-settle.ts";
export { sendBatch } from "./send-batch.ts";
export { factsOf, sendReads, type SendNeeds } from "./send-facts.ts";
export { sendMail } from "./send-mail.ts";
export { sendOwedMail } from "./send-owed-mail.ts";
export { failed, OUTCOME_UNKNOWN, suppressedOutcome } from "./outcome.ts";
export { settleStatements, type MailFacts, type SettledMail } from "./settle.ts";
export { namesUnsubscribe, subscriberData } from "./subscriber-data.ts";
export { sendTestMail } from "./test-smtp.ts";
