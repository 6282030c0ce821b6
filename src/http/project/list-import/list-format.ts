import { classifyReply } from "../../../mail/bounce/index.ts";
import type { Outcome } from "../../../services/subscribers/index.ts";

/**
 * Returns the trimmed text of a cell by the plain name of its column; "" for one that is missing.
 */
export type Cells = (column: string) => string;

/** Returns true if the file has the column. */
export type Has = (column: string) => boolean;

/**
 * The meaning of a row: an outcome, `kept` for a person about whom it says nothing bad, or
 * `unclear` for an unknown value.
 */
export type Said = Outcome | "kept" | "unclear";

/** The file of another service. Columns have plain names (`plainName`). */
export interface ListFormat {
  name: string;
  /** The columns by which a header is recognised. */
  has: readonly string[];
  /** True if a header with further columns is another format. */
  isExact?: true;
  email: string;
  /** The columns whose texts make up the name. */
  names?: readonly string[];
  /** Further columns that tell who left, which some files lack. */
  tells?: readonly string[];
  /** A column of JSON whose fields are metadata. */
  json?: string;
  /** A column with several tags. */
  tags?: string;
  /** Columns that are no metadata; undefined for a list of addresses without any. */
  drops?: readonly string[];
  says: (cell: Cells, has: Has) => Said;
  /** Tells whether files with these columns name those who opted out. */
  tellsWhoLeft: (has: Has) => boolean;
}

/** Returns the name of a column without case, spaces and punctuation, in which services differ. */
export const plainName = (name: string): string =>
  name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

const YES = new Set(["true", "yes", "1", "y", "t"]);
const NO = new Set(["false", "no", "0", "n", "f"]);

/** Returns one of two meanings for a cell with yes or no. */
export function eitherOr(text: string, yes: Said, no: Said): Said {
  if (YES.has(text.toLowerCase())) return yes;
  return NO.has(text.toLowerCase()) ? no : "unclear";
}

/** Looks up the meaning of a word, in any case. */
export function oneOf(text: string, meanings: Readonly<Record<string, Said>>): Said {
  const word = text.toLowerCase();
  return Object.hasOwn(meanings, word) ? (meanings[word] ?? "unclear") : "unclear";
}

/**
 * Ordered from the strictest; a person's own choice of a status comes before what a file leaves
 * open.
 */
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

/** Returns the strictest of what several readings of a row say. */
export const strictest = (said: readonly Said[]): Said =>
  BY_STRICTNESS.find((one) => said.includes(one)) ?? "unclear";

/** True if a row says that its address must not be mailed. */
export const isOptOut = (said: Said): boolean =>
  BY_STRICTNESS.indexOf(said) <= BY_STRICTNESS.indexOf("unsubscribed");

/**
 * Says whether a server's reply was about the address, as for a reply to this service (API
 * reference §11.7). A reply that tells nothing counts as one about the address: its service had
 * stopped mailing the address.
 */
export function bounceBy(reply: string): Said {
  if (reply === "") return "bounced";
  const { verdict, reason } = classifyReply("RCPT", reply);
  if (verdict === "temporary") return "ignored";
  return verdict === "bad_address" || reason === "unknown" ? "bounced" : "ignored";
}
