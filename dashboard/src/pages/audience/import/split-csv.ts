import { quoted } from "../../../../../src/lib/csv.ts";
import { csvRecords, type CsvRecord } from "../../../../../src/lib/parse-csv.ts";

/** A row as a line of CSV, and the line on which it starts in the whole text, counted from 1. */
interface Row {
  line: number;
  text: string;
}

/** A part of a CSV text, with its header. */
export interface CsvPart {
  text: string;
  rows: number;
  /** Converts a line number of the part into one of the whole text. */
  lineOf: (line: number) => number;
}

/** Characters per part: as JSON it stays below the limit of a request body (API reference §4.2). */
const MOST_CHARACTERS = 4_000_000;

/**
 * Returns the header of a CSV text, as a comma-separated line, and its rows. Throws a CsvError for
 * an invalid cell.
 */
export function rowsOf(csv: string): { header: string; rows: CsvRecord[] } {
  const [header, ...rows] = csvRecords(new TextEncoder().encode(csv));
  return { header: lineOfCells(header?.cells ?? []), rows };
}

/** Quotes every cell, so that a part needs no separator of its own. */
const lineOfCells = (cells: string[]): string => cells.map(quoted).join();

/** Returns a row as a line of CSV. */
export const textOf = ({ cells }: CsvRecord): string => lineOfCells(cells);

/** Returns the trimmed text of a cell. */
export const cellOf = ({ cells }: CsvRecord, column: number): string => cells[column]?.trim() ?? "";

interface SplitOptions {
  /** Rows per part, about. */
  most: number;
  /** Position of the address column. */
  place: number;
  /** The functions that rewrite the cells of some columns. */
  writers: ReadonlyMap<number, (cell: string) => string>;
}

/**
 * Splits a CSV text into parts. All rows of an address go into the same part, because an opt-out in
 * one of them applies to all.
 */
export function splitCsv(csv: string, { most, place, writers }: SplitOptions): CsvPart[] {
  const { header, rows } = rowsOf(csv);
  const partOf = new Map<string, Row[]>();
  const parts: Row[][] = [];
  let open: Row[] = [];
  let characters = 0;
  for (const record of rows) {
    const cells = record.cells.map((cell, at) => writers.get(at)?.(cell.trim()) ?? cell);
    const row = { line: record.line, text: lineOfCells(cells) };
    const address = cellOf(record, place).toLowerCase();
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

const linesIn = (text: string): number => text.split(/\r\n?|\n/).length;
