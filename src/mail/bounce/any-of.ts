/**
 * Joins alternatives, each the source of a regular expression, into one case-insensitive pattern,
 * so that a long list of wordings can span several lines.
 */
export const anyOf = (...alternatives: string[]) => new RegExp(alternatives.join("|"), "i");
