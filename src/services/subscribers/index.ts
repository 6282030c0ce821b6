export {
  importSubscribers,
  type ImportResult,
  type ImportRow,
  type RejectedRow,
} from "./import-subscribers.ts";
export { joinWaitlist, requireWaitlist, type WaitlistInput } from "./join-waitlist.ts";
export {
  attemptOwedMail,
  holdBackOwedMail,
  putOffOwedMail,
  settleOwedMail,
  sweepOwedMails,
  type OwedAttempt,
} from "./owed-mails.ts";
export type { OwedMail } from "./owed-queries.ts";
export {
  selectSubscriber,
  selectSubscriberByEmail,
  type SubscriberRow,
  type SubscriberStatus,
} from "./queries.ts";
export {
  createSubscriber,
  deleteSubscriber,
  listReads,
  listSubscribers,
  pageOf,
  setSubscriberStatus,
  type SubscriberInput,
  type SubscriberPage,
} from "./subscribers.ts";
export {
  readSubscription,
  type Subscription,
  type SubscriptionFacts,
} from "./read-subscription.ts";
export { resubscribe, unsubscribe } from "./unsubscribe.ts";
