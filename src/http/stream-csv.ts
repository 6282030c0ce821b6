import { parseAccept } from "hono/utils/accept";
import { csvLine } from "../lib/csv.ts";
import type { ListPage } from "../lib/page.ts";
import type { HttpContext } from "./http-env.ts";
import { streamParts } from "./stream-parts.ts";

/**
 * Entries per read of an export. A million entries take 400 reads, of the 1,000 that an invocation
 * may make; the largest entries take about 20 MB per read.
 */
export const EXPORT_ENTRIES = 2_500;

/** The media type of CSV. */
export const CSV_TYPE = "text/csv";

/**
 * Returns true if the client prefers CSV to JSON. JSON wins a tie, because clients generated from
 * the OpenAPI document accept every type.
 */
export function wantsCsv(c: HttpContext): boolean {
  const accepted = parseAccept(c.req.header("Accept") ?? "");
  const weightOf = (wanted: string) =>
    Math.max(0, ...accepted.map(({ type, q }) => (type.toLowerCase() === wanted ? q : 0)));
  return weightOf(CSV_TYPE) > weightOf("application/json");
}

/** A whole list as CSV, read in parts. */
export interface CsvParts<Row, Key> {
  /** File name. */
  name: string;
  /** Columns, in order. */
  columns: readonly string[];
  /** Position to start after; null for the beginning of the list. */
  after: Key | null;
  /** Reads the part after a position. A part may be empty although more follow. */
  readPart: (after: Key | null) => Promise<{ rows: Row[]; next: Key | undefined }>;
  present: (row: Row) => Record<string, unknown>;
}

/** A whole list as CSV, read in pages that contain one extra item if there is a next page. */
export interface CsvExport<Row, Key> extends Omit<CsvParts<Row, Key>, "readPart"> {
  read: (page: ListPage<Key>) => Promise<Row[]>;
  keyOf: (row: Row) => Key;
}

/** Streams a whole list as CSV, page by page. */
export function streamCsv<Row, Key>(
  c: HttpContext,
  { read, keyOf, ...csv }: CsvExport<Row, Key>,
): Promise<Response> {
  const readPart = async (after: Key | null) => {
    const found = await read({ limit: EXPORT_ENTRIES, offset: 0, after });
    const rows = found.slice(0, EXPORT_ENTRIES);
    const last = found.length > EXPORT_ENTRIES ? rows.at(-1) : undefined;
    return { rows, next: last && keyOf(last) };
  };
  return streamCsvParts(c, { ...csv, readPart });
}

/** Streams a whole list as CSV (API reference §1.4), one part in memory at a time. */
export async function streamCsvParts<Row, Key>(
  c: HttpContext,
  csv: CsvParts<Row, Key>,
): Promise<Response> {
  return c.body(await streamParts(csv.name, linesOf(csv)), 200, {
    "Content-Type": "text/csv; charset=utf-8; header=present",
    "Content-Disposition": `attachment; filename="${csv.name}.csv"`,
  });
}

async function* linesOf<Row, Key>({
  columns,
  after,
  readPart,
  present,
}: CsvParts<Row, Key>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  const lineOf = (row: Row) => {
    const fields = present(row);
    return csvLine(columns.map((column) => textOf(fields[column])));
  };
  let lines = csvLine(columns);
  for (let place: Key | null | undefined = after; place !== undefined;) {
    const { rows, next }: Awaited<ReturnType<typeof readPart>> = await readPart(place);
    lines += rows.map(lineOf).join("");
    if (lines !== "") yield encoder.encode(lines);
    lines = "";
    place = next;
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
