export { consentCondition, removeConsents } from "./consent-queries.ts";
export { importConsents, requireTopics } from "./consents-of-import.ts";
export { changeTopic, createTopic, deleteTopic, getTopic, listTopics } from "./manage-topics.ts";
export { purgeTopics } from "./purge-topics.ts";
export { readConsents, setConsents, type SubscriberConsents } from "./set-consents.ts";
export { MOST_TOPICS, type TopicRow } from "./topic-queries.ts";
