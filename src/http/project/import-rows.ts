import { refusal } from "../../errors.ts";
import { undefused } from "../../lib/csv.ts";
import { findExcess } from "../../lib/json-bounds.ts";
import { CsvError, csvRecords, linesOf } from "../../lib/parse-csv.ts";
import { JsonList } from "../../lib/parse-json.ts";
import { BODY_BOUNDS } from "../read-body.ts";
import { recognizeFormat } from "./list-import/recognize-format.ts";
import { importRow } from "./subscriber-input.ts";

/** A row before validation, with its line number if the body has lines. */
export interface SourceRow {
  value: unknown;
  line?: number;
}

/** Rows of a body, parsed again on each iteration, so that they are never all in memory. */
export class SourceRows {
  readonly length: number;
  readonly #read: () => Iterable<SourceRow>;

  constructor(read: () => Iterable<SourceRow>, length?: number) {
    this.#read = read;
    this.length = length ?? countOf(read());
  }

  [Symbol.iterator](): Iterator<SourceRow> {
    return this.#read()[Symbol.iterator]();
  }
}

function countOf(rows: Iterable<SourceRow>): number {
  let count = 0;
  for (const _row of rows) count += 1;
  return count;
}

/** Formats of an import besides a JSON array, by media type. */
export const IMPORT_TYPES = {
  "text/csv": (bytes: Uint8Array) => new SourceRows(() => rowsOfCsv(bytes)),
  "application/x-ndjson": (bytes: Uint8Array) => new SourceRows(() => rowsOfLines(bytes)),
};

/** Returns the rows of a parsed body; undefined if it is not a list. */
export function sourceRowsOf(given: unknown): SourceRows | undefined {
  if (given instanceof SourceRows) return given;
  if (!(given instanceof JsonList)) return undefined;
  return new SourceRows(() => rowsOfList(given), given.length);
}

function* rowsOfList(list: JsonList): Generator<SourceRow> {
  for (const value of list) yield { value };
}

/** Yields the objects of newline-delimited JSON. */
function* rowsOfLines(body: Uint8Array): Generator<SourceRow> {
  for (const { line, bytes } of linesOf(body)) {
    const text = new TextDecoder().decode(bytes);
    if (text.trim() !== "") yield { value: jsonOf(text), line };
  }
}

/** CSV columns that an import reads; it ignores others. */
const COLUMNS = Object.keys(importRow.shape) as (keyof typeof importRow.shape)[];

/** Yields CSV records as rows. Empty cells count as omitted; blank lines are skipped. */
function* rowsOfCsv(body: Uint8Array): Generator<SourceRow> {
  let places: [(typeof COLUMNS)[number], number][] | undefined;
  try {
    for (const { line, cells } of csvRecords(body)) {
      if (places) yield { value: rowOf(places, cells), line };
      else places = placesOf(cells);
    }
  } catch (error) {
    throw error instanceof CsvError ? refusal(error.code, { line: error.line }) : error;
  }
  if (!places) throw refusal("no_email_column", {});
}

/** Returns the positions of the known columns. */
function placesOf(header: string[]): [(typeof COLUMNS)[number], number][] {
  const names = header.map((name) => name.trim().toLowerCase());
  const places = COLUMNS.map((name): [typeof name, number] => [name, names.indexOf(name)]);
  const foreign = recognizeFormat(header);
  if (foreign) throw refusal("foreign_list", { service: foreign.name });
  if (!names.includes("email")) throw refusal("no_email_column", {});
  return places.filter(([, at]) => at !== -1);
}

function rowOf(places: [(typeof COLUMNS)[number], number][], cells: string[]) {
  const texts = places.map(([name, at]) => [name, undefused(cells[at] ?? "")] as const);
  const given = texts.filter(([, text]) => text !== "");
  return Object.fromEntries(given.map(([name, text]) => [name, readCell(name, text)]));
}

/** Parses a cell. Tags are a JSON list, as in an export, or comma-separated. */
function readCell(name: (typeof COLUMNS)[number], text: string): unknown {
  const isJson =
    name === "metadata" || name === "topics" || (name === "tags" && text.startsWith("["));
  if (isJson) return jsonOf(text);
  return name === "tags" ? text.split(",").filter((tag) => tag.trim() !== "") : text;
}

/** Parses a short JSON text. Any other text is returned as is, and fails validation. */
function jsonOf(text: string): unknown {
  if (findExcess(new TextEncoder().encode(text), BODY_BOUNDS) !== undefined) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
