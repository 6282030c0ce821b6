export {
  consentCondition,
  consentsTo,
  removeConsents,
  selectConsents,
  selectHistory,
  trimHistory,
  writeConsents,
  writeListConsent,
  type Consent,
  type ConsentAction,
  type ConsentEvent,
  type ConsentProof,
  type ConsentState,
  type ConsentWay,
} from "./consent-queries.ts";
export { agreeToRequests, askedIn, openRequests, requestConsents } from "./request-consents.ts";
export { callerProof, personProof } from "./consent-proof.ts";
export {
  canJoin,
  joinAsNew,
  joinDefaults,
  joinTopics,
  lacksChosen,
  requestTopics,
  selectUnknownOf,
  type ChosenTopics,
} from "./join-topics.ts";
export { importConsents, requireTopics } from "./consents-of-import.ts";
export { changeTopic, createTopic, deleteTopic, getTopic, listTopics } from "./manage-topics.ts";
export {
  lacksConsent,
  pathInTopics,
  requireKnown,
  RESPECTS_LEAVERS,
  selectUnknown,
  topicsNamed,
  type NamedConsents,
} from "./name-topics.ts";
export { purgeTopics } from "./purge-topics.ts";
export { readConsents, setConsents, type SubscriberConsents } from "./set-consents.ts";
export { selectTopicOfMail, type TopicRecipient } from "./select-topic-of-mail.ts";
export { MOST_TOPICS, selectTopic, type TopicRow } from "./topic-queries.ts";
