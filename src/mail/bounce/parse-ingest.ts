/**
 * Bounces that a mail provider or a script posts, in the formats of API reference §14.4.
 *
 * Anyone with the token may post any text. The route has verified the token and limits the body,
 * which bounds all the work here.
 */
import { entriesOfReport, type IngestEntry } from "./ingest-entry.ts";
import { isObject } from "./json-values.ts";
import { readReport, type ReadReport } from "./parse-bounce.ts";
import { readPosted } from "./providers/index.ts";

/** Result of `parseIngest`; `ok` is false if no format yields an address. */
export type IngestResult = { ok: true; entries: IngestEntry[] } | { ok: false };

/** The start of a message: a header field. */
const MESSAGE = /^[a-z][a-z0-9-]{0,60}:[ \t]?\S/i;

/**
 * Parses a posted body: JSON, or a raw message such as a complaint (RFC 5965) or a delivery report,
 * which is returned as `message`. Source: API reference §14.4.
 */
export async function readIngest(text: string): Promise<IngestResult & { message?: ReadReport }> {
  if (!MESSAGE.test(text)) return parseIngest(text);
  const message = await readReport(new TextEncoder().encode(text));
  return { ...resultOf(entriesOfReport(message.report)), message };
}

/**
 * Parses posted JSON: a generic object, an array of them, or events of a provider. Entries without
 * a valid address are dropped.
 */
export const parseIngest = (text: string): IngestResult =>
  resultOf([parseJson(text)].flat().flatMap((item) => (isObject(item) ? readPosted(item) : [])));

const resultOf = (entries: IngestEntry[]): IngestResult =>
  entries.length > 0 ? { ok: true, entries } : { ok: false };

/** Parses JSON; returns undefined, which yields no address, for any other text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
