export { acceptIngest } from "./accept-ingest.ts";
export { enqueuePolls } from "./enqueue-polls.ts";
export { ingestRulesOf, saveIngestRules } from "./ingest-rules.ts";
export { readIngestUrl, requireIngestToken, rotateIngestToken } from "./ingest-token.ts";
export { lastFaultOf, mailboxOf, saveMailbox, type BounceMailbox } from "./mailbox-settings.ts";
export { pollMailbox } from "./poll-mailbox.ts";
export { receiveMail, type Reception } from "./receive-mail.ts";
export { selectMailbox, selectToken } from "./queries.ts";
export {
  confirmUnverified,
  forgetUnverified,
  unverifiedOf,
  unverifiedReads,
} from "./unverified-reports.ts";
export type { UnverifiedRow } from "./unverified-queries.ts";
export { testMailbox } from "./test-mailbox.ts";
