import { parseBounce } from "./parse-bounce.ts";
import { parseIngest, type IngestResult } from "./parse-ingest.ts";
import { entriesOfReport } from "./report-entries.ts";

/** The start of a message: a header field. */
const MESSAGE = /^[a-z][a-z0-9-]{0,60}:[ \t]?\S/i;

/**
 * Reads a posted body: JSON, or a raw message such as a complaint (RFC 5965) or a delivery report.
 * Source: API reference §14.4.
 */
export async function readIngest(text: string): Promise<IngestResult> {
  if (!MESSAGE.test(text)) return parseIngest(text);
  const entries = entriesOfReport(await parseBounce(new TextEncoder().encode(text)));
  return entries.length > 0 ? { ok: true, entries } : { ok: false };
}
