/** A record of a CSV text, and the line on which it begins, counted from 1. */
interface Row {
  line: number;
  text: string;
}

/** A part of a CSV text, with its header. */
export interface CsvPart {
  text: string;
  rows: number;
  /** Returns the line of the whole text on which a line of the part stands. */
  lineOf: (line: number) => number;
}

const SEPARATORS = [",", ";", "\t"];

/** Characters of a part: its JSON stays below the limit of a body (API reference §4.2). */
const MOST_CHARACTERS = 4_000_000;

/** Returns the header and the rows of a CSV text. A line may go on between quotes. */
export function rowsOf(csv: string): { header: string; rows: Row[] } {
  const rows: Row[] = [];
  let isQuoted = false;
  let start = 0;
  let first = 1;
  let line = 1;
  const take = (end: number) => {
    const text = csv.slice(start, end).replace(/\r$/, "");
    if (text.trim() !== "") rows.push({ line: first, text });
  };
  for (const { 0: mark, index } of csv.matchAll(/["\n]/g)) {
    if (mark === '"') isQuoted = !isQuoted;
    else line += 1;
    if (mark === '"' || isQuoted) continue;
    take(index);
    start = index + 1;
    first = line;
  }
  take(csv.length);
  return { header: rows[0]?.text ?? "", rows: rows.slice(1) };
}

/** Returns the function that reads a column of a row, without spaces around the text. */
export function cellReader(header: string, column: number): (row: string) => string {
  const bare = header.replaceAll(/"[^"]*"/g, "");
  const counted = SEPARATORS.map((one) => ({ one, count: bare.split(one).length }));
  const separator = counted.toSorted((a, b) => b.count - a.count)[0]?.one ?? ",";
  const cell = new RegExp(`${separator}(?:"((?:[^"]|"")*)"|([^${separator}]*))`, "gy");
  return (row) => {
    let place = 0;
    // The separator before the row: matchAll would move past an empty match.
    for (const [, quoted, plain] of `${separator}${row}`.matchAll(cell))
      if (place++ === column) return (quoted?.replaceAll('""', '"') ?? plain ?? "").trim();
    return "";
  };
}

/**
 * Splits a CSV text into parts of about `most` rows. All rows of an address come into one part,
 * because an opt-out in one of them counts for all; `column` is the place of the addresses.
 */
export function splitCsv(csv: string, most: number, column: number): CsvPart[] {
  const { header, rows } = rowsOf(csv);
  const addressOf = cellReader(header, column);
  const partOf = new Map<string, Row[]>();
  const parts: Row[][] = [];
  let open: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    const address = addressOf(row.text).toLowerCase();
    const before = address.includes("@") ? partOf.get(address) : undefined;
    if (before) {
      before.push(row);
      continue;
    }
    if (parts.length === 0 || open.length >= most || characters > MOST_CHARACTERS) {
      parts.push((open = []));
      characters = 0;
    }
    open.push(row);
    characters += row.text.length;
    if (address !== "") partOf.set(address, open);
  }
  return parts.map((part) => partWith(header, part));
}

function partWith(header: string, rows: Row[]): CsvPart {
  const lines = new Map<number, number>();
  let line = linesIn(header) + 1;
  for (const row of rows) {
    lines.set(line, row.line);
    line += linesIn(row.text);
  }
  const text = [header, ...rows.map((row) => row.text)].join("\n");
  return { text, rows: rows.length, lineOf: (at) => lines.get(at) ?? at };
}

const linesIn = (text: string): number => text.split("\n").length;
