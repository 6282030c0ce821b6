/** Half a character: the first unit of a pair (Unicode 3.9, D74) whose second one was cut off. */
const HALF_AT_END = /[\ud800-\udbff]$/;

/**
 * Returns the beginning of a text, of at most `max` UTF-16 units, without half a character at its
 * end: the database and UTF-8 would turn that into U+FFFD.
 */
export const cutText = (text: string, max: number): string =>
  text.slice(0, max).replace(HALF_AT_END, "");
