import { classifyReply } from "../../../mail/bounce/index.ts";
import type { Outcome } from "../../../services/subscribers/index.ts";

/** Returns the trimmed text of a cell by its column's plain name; "" if it is missing. */
export type Cells = (column: string) => string;

/** Returns true if the file has the column. */
export type Has = (column: string) => boolean;

/**
 * The status in a row: an outcome, `kept` if the row does not restrict mailing, or `unclear` for an
 * unknown value.
 */
export type Said = Outcome | "kept" | "unclear";

/** A file exported from another service. Columns are identified by `plainName`. */
export interface ListFormat {
  name: string;
  /** Columns that identify the format. */
  has: readonly string[];
  /** True if additional columns mean a different format. */
  isExact?: true;
  email: string;
  /** Columns that are joined into the name. */
  names?: readonly string[];
  /** Optional columns that mark opt-outs. */
  tells?: readonly string[];
  /** A column with a JSON object whose fields become metadata. */
  json?: string;
  /** A column with several tags. */
  tags?: string;
  /** A column with several topics. */
  topics?: string;
  /** Columns that do not become metadata; undefined for a list of addresses without metadata. */
  drops?: readonly string[];
  says: (cell: Cells, has: Has) => Said;
  /** Returns true if files with these columns mark opt-outs. */
  tellsWhoLeft: (has: Has) => boolean;
}

/** Returns a column name without case, spaces and punctuation, which vary between services. */
export const plainName = (name: string): string =>
  name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

const YES = new Set(["true", "yes", "1", "y", "t"]);
const NO = new Set(["false", "no", "0", "n", "f"]);

/** Maps a yes-or-no cell to one of two outcomes. */
export function eitherOr(text: string, yes: Said, no: Said): Said {
  if (YES.has(text.toLowerCase())) return yes;
  return NO.has(text.toLowerCase()) ? no : "unclear";
}

/** Looks up the outcome of a keyword, ignoring case. */
export function oneOf(text: string, meanings: Readonly<Record<string, Said>>): Said {
  const word = text.toLowerCase();
  return Object.hasOwn(meanings, word) ? (meanings[word] ?? "unclear") : "unclear";
}

/** Strictest first. An explicit status from the user's mapping ranks above `kept`. */
const BY_STRICTNESS: readonly Said[] = [
  "complained",
  "opted_out",
  "blocked",
  "bounced",
  "unsubscribed",
  "unclear",
  "ignored",
  "pending",
  "active",
  "kept",
];

/** Returns the strictest of several outcomes. */
export const strictest = (said: readonly Said[]): Said =>
  BY_STRICTNESS.find((one) => said.includes(one)) ?? "unclear";

/** Returns true if the address must not be mailed. */
export const isOptOut = (said: Said): boolean =>
  BY_STRICTNESS.indexOf(said) <= BY_STRICTNESS.indexOf("unsubscribed");

/**
 * Classifies a server's reply as for a reply to this service (API reference §11.7). An
 * uninformative reply counts as a bounce, because the other service had stopped mailing the
 * address.
 */
export function bounceBy(reply: string): Said {
  if (reply === "") return "bounced";
  const { verdict, reason } = classifyReply("RCPT", reply);
  if (verdict === "temporary") return "ignored";
  return verdict === "bad_address" || reason === "unknown" ? "bounced" : "ignored";
}
