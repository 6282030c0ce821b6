export {
  importSubscribers,
  type ImportResult,
  type ImportRow,
  type RejectedRow,
} from "./import-subscribers.ts";
export { joinWaitlist, requireWaitlist, type WaitlistInput } from "./join-waitlist.ts";
export { selectSubscriber, type SubscriberRow, type SubscriberStatus } from "./queries.ts";
export {
  createSubscriber,
  deleteSubscriber,
  listSubscribers,
  setSubscriberStatus,
  type SubscriberInput,
} from "./subscribers.ts";
export { readSubscription, type Subscription } from "./read-subscription.ts";
export { resubscribe, unsubscribe, type SubscriptionChange } from "./unsubscribe.ts";
