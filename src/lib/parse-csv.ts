/*
 * Parses CSV (RFC 4180) from bytes, record by record, so that a large file never becomes one
 * string. A line may also end with LF or CR alone, and empty records are skipped. A first line
 * `sep=;`, as written by spreadsheets, sets the separator.
 */

/** A record, and the line on which it starts, counted from 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** A malformed record. Its code is that of the resulting error response. */
export class CsvError extends SyntaxError {
  readonly code: "csv_open_quote" | "csv_text_after_quote" | "csv_stray_quote";
  readonly line: number;

  constructor(code: CsvError["code"], line: number) {
    super(`line ${line}: ${code}`);
    this.code = code;
    this.line = line;
  }
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const NAMED_SEPARATOR = /^"?sep=([^"\s]|\t)"?$/i;

/** Possible separators; spreadsheets in many countries do not use the comma. */
const SEPARATORS = [",", ";", "\t"];

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Yields the records of valid UTF-8 CSV. The first record determines the separator. Throws CsvError
 * for a malformed record.
 */
export function* csvRecords(text: Uint8Array): Generator<CsvRecord> {
  let separator: string | undefined;
  for (const { line, bytes } of linesOf(text, true)) {
    const record = decoder.decode(bytes).replace(/\r$/, "");
    if (record.trim() === "") continue;
    const named = separator === undefined ? NAMED_SEPARATOR.exec(record)?.[1] : undefined;
    separator ??= named ?? separatorOf(record);
    if (named !== undefined) continue;
    const cells = cellsOf(record, separator, line);
    if (cells.some((cell) => cell.trim() !== "")) yield { line, cells };
  }
}

/**
 * Yields the lines of a text with their numbers. With `quotes`, a line may continue inside quotes,
 * and may end with CR alone.
 */
export function* linesOf(
  text: Uint8Array,
  quotes = false,
): Generator<{ line: number; bytes: Uint8Array }> {
  let start = 0;
  let line = 1;
  let feeds = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (quotes && text[at] === QUOTE) isQuoted = !isQuoted;
    const isOldEnd = quotes && text[at] === CARRIAGE_RETURN && text[at + 1] !== LINE_FEED;
    if (text[at] !== LINE_FEED && !isOldEnd) continue;
    feeds += 1;
    if (isQuoted) continue;
    yield { line, bytes: text.subarray(start, at) };
    start = at + 1;
    line = feeds + 1;
  }
  if (start < text.length) yield { line, bytes: text.subarray(start) };
}

function separatorOf(header: string): string {
  const bare = header.replaceAll(/"[^"]*"/g, "");
  const counted = SEPARATORS.map((separator) => ({ separator, n: bare.split(separator).length }));
  return counted.toSorted((a, b) => b.n - a.n)[0]?.separator ?? ",";
}

function cellsOf(record: string, separator: string, line: number): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= record.length; at += 1) {
    if (record[at] === '"') {
      const { text, end } = quotedCell(record, at, line);
      if (end < record.length && record[end] !== separator)
        throw new CsvError("csv_text_after_quote", line);
      cells.push(text);
      at = end;
    } else {
      const next = record.indexOf(separator, at);
      const end = next === -1 ? record.length : next;
      const text = record.slice(at, end);
      // A quote in the middle of a cell would start a multi-line text and swallow the next records.
      if (/[\r\n]/.test(text)) throw new CsvError("csv_stray_quote", line);
      cells.push(text);
      at = end;
    }
  }
  return cells;
}

/** Returns the text of a quoted cell with doubled quotes unescaped, and the position of its end. */
function quotedCell(record: string, start: number, line: number): { text: string; end: number } {
  const parts: string[] = [];
  let from = start + 1;
  for (;;) {
    const quote = record.indexOf('"', from);
    if (quote === -1) throw new CsvError("csv_open_quote", line);
    parts.push(record.slice(from, quote));
    if (record[quote + 1] !== '"') return { text: parts.join('"'), end: quote + 1 };
    from = quote + 2;
  }
}
