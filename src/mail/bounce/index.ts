/** Parses delivery reports, complaints, rejections and posted bounces. */
export { classifyReply } from "./classify-reply.ts";
export { isSenderSide, isSoftBounce, REFUSAL_REASONS, type RefusalReason } from "./reasons.ts";
export { parseBounce, readReport, type ReadReport } from "./parse-bounce.ts";
export {
  isSendgridKey,
  PROVIDERS,
  type Post,
  type Provider,
  type ProviderName,
} from "./providers/index.ts";
export { readIngest } from "./parse-ingest.ts";
export { entriesOfReport, type IngestEntry } from "./ingest-entry.ts";
