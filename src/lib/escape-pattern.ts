/** Escapes a text for literal use in a regular expression. */
export const escapePattern = (text: string): string =>
  text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
