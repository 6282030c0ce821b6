/** Headers that a caller may add to a message (RFC 5322 section 3.6.8, optional fields). */
import { refusal } from "../errors.ts";
import { callersHeader, checkHeader } from "./header.ts";

/** Lowercase header names reserved for the service; see also `RESERVED_PREFIXES`. */
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

/** Lowercase prefixes of header names reserved for the service. */
export const RESERVED_PREFIXES: readonly string[] = ["content-", "resent-", "arc-"];

/** Maximum number of custom headers per message; our own limit. */
export const MAX_CUSTOM_HEADERS = 50;
/** Maximum length of a custom header's value in UTF-16 units; our own limit, far above real use. */
const MAX_VALUE_LENGTH = 2_000;

/**
 * Returns the lines of the custom headers: at most 50, each name a token that is not reserved and
 * occurs once, each value at most 2,000 characters, foldable, and without CR, LF and NUL. Throws an
 * error that names the first invalid header.
 */
export function customHeaders(headers: Readonly<Record<string, string>>): string {
  const entries = Object.entries(headers);
  if (entries.length > MAX_CUSTOM_HEADERS) {
    throw refusal("too_many_headers", { max: MAX_CUSTOM_HEADERS });
  }
  const seen = new Set<string>();
  const lines: string[] = [];
  for (const [name, value] of entries) {
    checkHeader(name, value);
    const key = name.toLowerCase();
    if (isReserved(key)) throw refusal("header_reserved", { name });
    if (seen.has(key)) throw refusal("header_repeated", { name });
    if (value.length > MAX_VALUE_LENGTH)
      throw refusal("header_too_long", { name, max: MAX_VALUE_LENGTH });
    seen.add(key);
    lines.push(callersHeader(name, value));
  }
  return lines.join("");
}

/** Returns headers with those of `others` that they do not set themselves. */
export function withHeaders(
  headers: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const added = Object.entries(others).filter(([name]) => !own.has(name.toLowerCase()));
  return { ...headers, ...Object.fromEntries(added) };
}

const isReserved = (key: string) =>
  RESERVED_HEADERS.has(key) || RESERVED_PREFIXES.some((prefix) => key.startsWith(prefix));
