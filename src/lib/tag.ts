/** The longest tag in characters; ours. */
const MAX_TAG_CHARACTERS = 64;

/** A comma separates tags; the other characters cannot be seen, or reverse what follows them. */
const REFUSED = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069,]/u;

/**
 * Returns a tag in the one form in which tags are stored and compared: lower case, composed (NFC),
 * without white space around it. Returns undefined for a text that is no tag.
 */
export function parseTag(text: string): string | undefined {
  const tag = text.trim().toLowerCase().normalize("NFC");
  const length = Array.from(tag).length;
  return length > 0 && length <= MAX_TAG_CHARACTERS && !REFUSED.test(tag) ? tag : undefined;
}

/** The rule of `parseTag` in words. */
export const TAG_RULE = `must have 1 to ${MAX_TAG_CHARACTERS} characters, and no commas or control characters`;
