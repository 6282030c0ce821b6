export { forgetOldLetters } from "./forget-letters.ts";
export { listLetters } from "./list-letters.ts";
export { selectWaiting, type Letter } from "./queries.ts";
export { replayLetter } from "./replay-letter.ts";
export { KEPT_MS } from "./retention.ts";
export { storeLetters } from "./store-letters.ts";
