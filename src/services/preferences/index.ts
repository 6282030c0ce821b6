export { readPreferences, type Reader } from "./read-preferences.ts";
export { saveTopics } from "./save-topics.ts";
