import { readReport, type ReadReport } from "./parse-bounce.ts";
import { parseIngest, type IngestResult } from "./parse-ingest.ts";
import { entriesOfReport } from "./report-entries.ts";

/** The start of a message: a header field. */
const MESSAGE = /^[a-z][a-z0-9-]{0,60}:[ \t]?\S/i;

/**
 * Parses a posted body: JSON, or a raw message such as a complaint (RFC 5965) or a delivery report,
 * which is returned as `message`. Source: API reference §14.4.
 */
export async function readIngest(text: string): Promise<IngestResult & { message?: ReadReport }> {
  if (!MESSAGE.test(text)) return parseIngest(text);
  const message = await readReport(new TextEncoder().encode(text));
  const entries = entriesOfReport(message.report);
  return entries.length > 0 ? { ok: true, entries, message } : { ok: false, message };
}
