/** Reads what comes back: delivery reports, complaints, refusals and posted bounces. */
export {
  classifyRefusal,
  type Refusal,
  type RefusalClass,
  type RefusalPhase,
} from "./classify-refusal.ts";
export { parseBounce } from "./parse-bounce.ts";
export { type IngestEntry, type IngestResult, parseIngest } from "./parse-ingest.ts";
export type { BouncedRecipient, BounceReport } from "./report.ts";
