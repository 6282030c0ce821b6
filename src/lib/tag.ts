/** Maximum length of a tag, and maximum tags per subscriber; our own choice. */
export const MAX_TAG_CHARACTERS = 64;
export const MOST_TAGS = 50;

/**
 * Commas separate tags, and JSON lists escape quotes and backslashes. The others are invisible, or
 * reverse the text that follows.
 */
const REFUSED = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069,"\\]/u;

/**
 * Normalizes a tag as it is stored and compared: lowercase, NFC, trimmed. Returns undefined for an
 * invalid tag.
 */
export function parseTag(text: string): string | undefined {
  const tag = text.trim().toLowerCase().normalize("NFC");
  const length = Array.from(tag).length;
  return length > 0 && length <= MAX_TAG_CHARACTERS && !REFUSED.test(tag) ? tag : undefined;
}
