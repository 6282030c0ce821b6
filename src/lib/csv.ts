/* CSV as RFC 4180 describes it. */

/** The beginnings of a text that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A formula that `csvLine` made a text. */
const DEFUSED = /^'(?=[=+\-@\t\r])/;

/** Texts that need quotes around them. */
const QUOTED = /[",\r\n]|^\s|\s$/;

/** Returns texts as one line. A text that begins like a formula gets an apostrophe before it. */
export function csvLine(texts: readonly string[]): string {
  return `${texts.map(cellOf).join()}\r\n`;
}

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? quoted(safe) : safe;
}

/** Returns a text with quotes around it. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Returns the text of a cell without the apostrophe that `csvLine` put before it. */
export const undefused = (text: string): string => text.replace(DEFUSED, "");
