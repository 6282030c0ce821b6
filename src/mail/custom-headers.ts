/** Which headers a caller may add to a message (RFC 5322 section 3.6.8, optional fields). */
import { badRequest } from "../errors.ts";
import { checkHeader } from "./header.ts";

/** Header names, lower-case, that only the service itself writes; see also `RESERVED_PREFIXES`. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "from",
  "to",
  "cc",
  "bcc",
  "reply-to",
  "subject",
  "date",
  "message-id",
  "mime-version",
  "return-path",
  "received",
  "sender",
  "dkim-signature",
  "list-unsubscribe",
  "list-unsubscribe-post",
]);

/** Beginnings, lower-case, of header names that only the service itself writes. */
export const RESERVED_PREFIXES: readonly string[] = ["content-", "resent-", "arc-"];

/** Most headers a caller may add to one message; ours. */
export const MAX_CUSTOM_HEADERS = 50;
/** Longest value of an added header in UTF-16 units; ours, far beyond any real one. */
const MAX_VALUE_LENGTH = 2_000;

/**
 * Checks headers a caller wants to add: at most 50, names tokens and not reserved, each once,
 * values of at most 2,000 characters without CR, LF or NUL. Throws AppError bad_request that names
 * the first one at fault.
 */
export function checkCustomHeaders(headers: Readonly<Record<string, string>>): void {
  const entries = Object.entries(headers);
  if (entries.length > MAX_CUSTOM_HEADERS) {
    throw badRequest(`at most ${MAX_CUSTOM_HEADERS} custom headers are allowed`);
  }
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    checkHeader(name, value);
    const key = name.toLowerCase();
    if (isReserved(key)) throw badRequest(`header ${name} cannot be set`);
    if (seen.has(key)) throw badRequest(`header ${name} is given twice`);
    if (value.length > MAX_VALUE_LENGTH) throw badRequest(`header ${name} is too long`);
    seen.add(key);
  }
}

const isReserved = (key: string) =>
  RESERVED_HEADERS.has(key) || RESERVED_PREFIXES.some((prefix) => key.startsWith(prefix));
