export { isFirstUse } from "./first-use.ts";
export { callerIdOf, forgetAnswers, onlyOnce, type Idempotency } from "./only-once.ts";
