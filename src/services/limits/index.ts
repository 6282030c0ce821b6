export type { IpCounters } from "./ip-counters.ts";
export {
  takeHit,
  takeSubscriberMail,
  takeLoginTry,
  takePasswordTry,
  takePublicJoin,
  takeReadHit,
  takeRegistration,
  takeWaitlistJoin,
  type LimitedAction,
} from "./take-hit.ts";
export { takeClientHit, takeInvitation, takeMailTo } from "./take-mail-hit.ts";
export { takeIpHit, type IpBucket } from "./take-ip-hit.ts";
