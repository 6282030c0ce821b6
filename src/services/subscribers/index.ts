export { importList, type ListResult } from "./import-list.ts";
export { OUTCOMES, type ListRow, type Outcome } from "./list-row.ts";
export { importSubscribers, type FaultyRow, type ImportRow } from "./import-subscribers.ts";
export {
  askAgain,
  askForConfirmation,
  comeBack,
  confirmSubscription,
  mayConfirm,
} from "./confirm-subscription.ts";
export { joinWaitlist, requireWaitlist } from "./join-waitlist.ts";
export {
  attemptPendingMail,
  handOverPendingMail,
  holdBackPendingMail,
  mailDataLink,
  PENDING_LIFE_MS,
  putOffPendingMail,
  removePendingMail,
  sendKeyOf,
  sweepPendingMails,
} from "./pending-mails.ts";
export { selectDueMails, selectPendingTo, type PendingMail } from "./pending-queries.ts";
export { selectMetadataKeys } from "./metadata-keys.ts";
export {
  selectSubscriber,
  selectSubscriberByEmail,
  type SubscriberRow,
  type SubscriberStatus,
} from "./queries.ts";
export { addUnknown, type Unknown } from "./add-unknown.ts";
export { changeMany } from "./change-many.ts";
export { MOST_CHANGED } from "./choose-subscribers.ts";
export { expireRequests } from "./expire-requests.ts";
export { setOnMany } from "./set-on-many.ts";
export { setConsentsOfMany, setTopicsOfMany } from "./topic-many.ts";
export { editSubscriber, subscriberState } from "./edit-subscriber.ts";
export { selectListed, SUBSCRIBER_SORTS } from "./list-queries.ts";
export { listReads, listSubscribers, pageOf, type ListedSubscriber } from "./list-subscribers.ts";
export { noteClicks, noteOpens, tagVisitors } from "./activity-queries.ts";
export { leaveAtProvider } from "./leave-at-provider.ts";
export { listTags } from "./list-tags.ts";
export { createImport, listImports, type ImportEntry } from "./manage-imports.ts";
export { tagMany } from "./tag-many.ts";
export { createSubscriber, deleteSubscriber, joinList } from "./subscribers.ts";
export { readSubscription, subscriptionFacts, type Subscription } from "./read-subscription.ts";
export { resubscribe, unsubscribe } from "./unsubscribe.ts";
export { countInBroadcast, noteLeftBy, selectUnsubscriptions } from "./unsubscription-counts.ts";
export { WELCOME_TEMPLATE, WELCOMES, type Welcome } from "./welcome.ts";
export { removeByEmail, requireEmail } from "./remove-by-email.ts";
export { selectJoined } from "./joined-queries.ts";
