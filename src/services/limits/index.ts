export type { IpCounters } from "./ip-counters.ts";
export { PER_MINUTE, type LimitedAction } from "./limited-actions.ts";
export { consumeRateLimit, consumeReadLimit } from "./consume-rate-limit.ts";
export { countHit, noteVerdict, openHit, type OpenHit } from "./open-hit.ts";
export { limitRefusal } from "./limit-refusal.ts";
export { inTurn, takeHeavyRead } from "./heavy-reads.ts";
export { claimToday, countToday, type DailyClaim } from "./daily-claim.ts";
export { takePublicJoin, takeSubscriberMail, takeWaitlistJoin } from "./count-joins.ts";
export {
  takeFromClient,
  takeInvitation,
  takeLoginTry,
  takeMailTo,
  takePasswordTry,
  takeReaderAction,
  takeRegistration,
  takeResetTo,
} from "./named-limits.ts";
export { consumeIpLimit, type IpBucket } from "./consume-ip-limit.ts";
export { callerAt, rememberCaller, type ProvenCallers } from "./proven-callers.ts";
