/** Reads delivery reports, complaints, refusals and posted bounces. */
export { classifyReply } from "./classify-reply.ts";
export { isSoftBounce, REFUSAL_REASONS, type RefusalReason } from "./reasons.ts";
export { parseBounce } from "./parse-bounce.ts";
export { isSendgridEvent } from "./provider-events.ts";
export { readIngest } from "./read-ingest.ts";
export type { BounceReport } from "./report.ts";
