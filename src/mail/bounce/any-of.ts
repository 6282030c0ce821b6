/**
 * Joins regular-expression sources into one case-insensitive alternation, so that a long list of
 * wordings can span several lines.
 */
export const anyOf = (...alternatives: string[]) => new RegExp(alternatives.join("|"), "i");
