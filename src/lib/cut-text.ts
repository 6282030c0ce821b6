/** A trailing high surrogate (Unicode 3.9, D74) whose second half was cut off. */
const HALF_AT_END = /[\ud800-\udbff]$/;

/**
 * Truncates a text to at most `max` UTF-16 units without splitting a surrogate pair, which the
 * database and UTF-8 would turn into U+FFFD.
 */
export const cutText = (text: string, max: number): string =>
  text.slice(0, max).replace(HALF_AT_END, "");
