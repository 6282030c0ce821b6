export type { IpCounters } from "./ip-counters.ts";
export {
  consumeRateLimit,
  countHit,
  noteVerdict,
  openHit,
  takeSubscriberMail,
  takeLoginTry,
  takePasswordTry,
  takePublicJoin,
  consumeReadLimit,
  takeRegistration,
  takeWaitlistJoin,
  type LimitedAction,
  type OpenHit,
} from "./consume-rate-limit.ts";
export { consumeClientLimit, takeInvitation, takeMailTo } from "./consume-mail-limit.ts";
export { consumeIpLimit, type IpBucket } from "./consume-ip-limit.ts";
export { callerAt, rememberCaller, type ProvenCallers } from "./proven-callers.ts";
