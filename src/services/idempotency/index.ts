export { callerIdOf, forgetAnswers, onlyOnce, type Idempotency } from "./only-once.ts";
