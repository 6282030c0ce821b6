/* CSV (RFC 4180). */

/** Prefixes that make a spreadsheet run a text as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A formula that `csvLine` escaped. */
const DEFUSED = /^'(?=[=+\-@\t\r])/;

/** Texts that must be quoted. */
const QUOTED = /[",\r\n]|^\s|\s$/;

/** Returns texts as one line. A text that looks like a formula is prefixed with an apostrophe. */
export function csvLine(texts: readonly string[]): string {
  return `${texts.map(cellOf).join()}\r\n`;
}

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? quoted(safe) : safe;
}

export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Returns the text of a cell without the apostrophe that `csvLine` added. */
export const undefused = (text: string): string => text.replace(DEFUSED, "");
