/** Reads delivery reports, complaints, refusals and posted bounces. */
export { parseBounce } from "./parse-bounce.ts";
export { parseIngest } from "./parse-ingest.ts";
export type { BounceReport } from "./report.ts";
