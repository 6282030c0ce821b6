import { Buffer } from "node:buffer";

/** The longest tag in characters, and the most tags of one subscriber; our own choice. */
export const MAX_TAG_CHARACTERS = 64;
export const MOST_TAGS = 50;

/**
 * A comma separates tags, and a list of tags in JSON escapes quotes and backslashes. The others
 * cannot be seen, or reverse what follows them.
 */
const REFUSED = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069,"\\]/u;

/**
 * Returns a tag in the one form in which tags are stored and compared: lower case, composed (NFC),
 * without white space around it. Returns undefined for a text that is not a tag.
 */
export function parseTag(text: string): string | undefined {
  const tag = text.trim().toLowerCase().normalize("NFC");
  const length = Array.from(tag).length;
  return length > 0 && length <= MAX_TAG_CHARACTERS && !REFUSED.test(tag) ? tag : undefined;
}

/** Returns each tag once, in the order in which SQLite sorts texts. */
export const sortTags = (tags: readonly string[]): string[] =>
  [...new Set(tags)].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
