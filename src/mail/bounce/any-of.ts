/**
 * One case-insensitive pattern out of alternatives, so that long lists of wordings can be written
 * on several lines. Each alternative is the source of a regular expression.
 */
export const anyOf = (...alternatives: string[]) => new RegExp(alternatives.join("|"), "i");
