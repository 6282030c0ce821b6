import { refusal } from "../../errors.ts";
import { undefused } from "../../lib/csv.ts";
import { findExcess } from "../../lib/json-bounds.ts";
import { linesOf } from "../../lib/parse-csv.ts";
import { BODY_BOUNDS } from "../read-body.ts";
import { placeColumns, type Columns } from "./list-import/list-columns.ts";
import { plainName } from "./list-import/list-format.ts";
import { headerOf, recordsOf } from "./list-import/read-list.ts";
import { recognizeFormat } from "./list-import/recognize-format.ts";
import { subscriberAnswer } from "./subscriber-answer.ts";
import { importRow } from "./subscriber-input.ts";

/** A row before validation, with its line number if the body has lines. */
export interface SourceRow {
  value: unknown;
  line?: number;
}

/** Rows of a body, parsed again on each iteration, so that they are never all in memory. */
export class SourceRows {
  readonly length: number;
  /** The metadata keys of the columns of a CSV file that have no meaning of their own. */
  readonly metadataColumns: Readonly<Record<string, string>>;
  readonly #read: () => Iterable<SourceRow>;

  constructor(
    read: () => Iterable<SourceRow>,
    length?: number,
    metadataColumns: Readonly<Record<string, string>> = {},
  ) {
    this.#read = read;
    this.metadataColumns = metadataColumns;
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
  "text/csv": csvRowsOf,
  "application/x-ndjson": (bytes: Uint8Array) => new SourceRows(() => rowsOfLines(bytes)),
};

/** Returns the rows of a parsed body; undefined if it is not a list. */
export function sourceRowsOf(given: unknown): SourceRows | undefined {
  if (given instanceof SourceRows) return given;
  if (!Array.isArray(given)) return undefined;
  return new SourceRows(() => rowsOfList(given), given.length);
}

function* rowsOfList(list: unknown[]): Generator<SourceRow> {
  for (const value of list) yield { value };
}

/** Yields the objects of newline-delimited JSON. */
function* rowsOfLines(body: Uint8Array): Generator<SourceRow> {
  for (const { line, bytes } of linesOf(body)) {
    const text = new TextDecoder().decode(bytes);
    if (text.trim() !== "") yield { value: jsonOf(text), line };
  }
}

/** CSV columns with a meaning of their own. The others become metadata. */
const COLUMNS = Object.keys(importRow.shape) as (keyof typeof importRow.shape)[];

/** The columns of an exported list, which can be imported unchanged, apart from metadata. */
const FORMAT = {
  email: "email",
  drops: [...COLUMNS, ...Object.keys(subscriberAnswer.shape)].map(plainName),
};

/** How the columns of a CSV file are used. */
interface CsvColumns {
  places: [(typeof COLUMNS)[number], number][];
  metadata: Columns["metadata"];
}

/** Reads CSV records as rows. Empty cells count as omitted; blank lines are skipped. */
function csvRowsOf(body: Uint8Array): SourceRows {
  const columns = columnsOf(headerOf(body));
  const keys = columns.metadata.map(({ column, key }) => [column, key] as const);
  return new SourceRows(() => rowsOfCsv(body, columns), undefined, Object.fromEntries(keys));
}

function* rowsOfCsv(body: Uint8Array, columns: CsvColumns): Generator<SourceRow> {
  let isHeader = true;
  for (const { line, cells } of recordsOf(body)) {
    if (isHeader) isHeader = false;
    else yield { value: rowOf(columns, cells), line };
  }
}

/** Returns the uses of the columns; a column without a name has none. */
function columnsOf(header: string[]): CsvColumns {
  const names = header.map((name) => name.toLowerCase());
  const places = COLUMNS.map((name): CsvColumns["places"][number] => [name, names.indexOf(name)]);
  const foreign = recognizeFormat(header);
  if (foreign) throw refusal("foreign_list", { service: foreign.name });
  if (!names.includes("email")) throw refusal("no_email_column", {});
  const { metadata } = placeColumns(header, FORMAT, undefined);
  return {
    places: places.filter(([, at]) => at !== -1),
    metadata: metadata.filter(({ column }) => column !== ""),
  };
}

function rowOf({ places, metadata }: CsvColumns, cells: string[]) {
  const textAt = (place: number) => undefused(cells[place] ?? "");
  const texts = places.map(([name, at]) => [name, textAt(at)] as const);
  const given = texts.filter(([, text]) => text !== "");
  const row = Object.fromEntries(given.map(([name, text]) => [name, readCell(name, text)]));
  const more = metadata
    .map(({ place, key }) => [key, textAt(place).trim()] as const)
    .filter(([, text]) => text !== "");
  const { metadata: own = {} } = row;
  if (more.length === 0 || typeof own !== "object" || Array.isArray(own)) return row;
  return { ...row, metadata: { ...Object.fromEntries(more), ...own } };
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
