/** Returns a text as a part of a regular expression that matches this text alone. */
export const escapePattern = (text: string): string =>
  text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
