/* CSV as RFC 4180 describes it. */

/** The beginnings of a text that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A formula that `csvLine` made a text. */
const DEFUSED = /^'(?=[=+\-@\t\r])/;

/** Texts that stand between quotes. */
const QUOTED = /[",\r\n]|^\s|\s$/;

/** Returns the line of some texts. One that begins like a formula gets an apostrophe before it. */
export function csvLine(texts: readonly string[]): string {
  return `${texts.map(cellOf).join()}\r\n`;
}

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a text of a cell without the apostrophe that `csvLine` put before it. */
export const undefused = (text: string): string => text.replace(DEFUSED, "");
