import { parseAccept } from "hono/utils/accept";
import { csvLine } from "../lib/csv.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { ListPage } from "../lib/page.ts";
import type { HttpContext } from "./http-env.ts";

/**
 * The entries that one read of an export takes. A million of them take 400 reads, of the 1,000 that
 * an invocation may make; the largest of them take some 20 MB.
 */
const EXPORT_ENTRIES = 2_500;

/** The media type of CSV. */
export const CSV_TYPE = "text/csv";

/**
 * Returns true if a caller prefers CSV to JSON. JSON counts where both weigh the same: clients that
 * are made from the OpenAPI document name every type.
 */
export function wantsCsv(c: HttpContext): boolean {
  const accepted = parseAccept(c.req.header("Accept") ?? "");
  const weightOf = (wanted: string) =>
    Math.max(0, ...accepted.map(({ type, q }) => (type.toLowerCase() === wanted ? q : 0)));
  return weightOf(CSV_TYPE) > weightOf("application/json");
}

/** A whole list as CSV. */
export interface CsvExport<Row, Key> {
  /** The name of the file. */
  name: string;
  /** The fields of an entry, in their order. */
  columns: readonly string[];
  /** The place in the list to begin after; null for its beginning. */
  after: Key | null;
  read: (page: ListPage<Key>) => Promise<Row[]>;
  keyOf: (row: Row) => Key;
  present: (row: Row) => Record<string, unknown>;
}

/**
 * Answers with a whole list as CSV (API reference §1.4). It holds one page at a time, and reads the
 * next one when the caller has taken that. The first page is read before the answer begins, so its
 * faults are answered; a later fault breaks the connection off, and no end of the file is faked.
 */
export async function streamCsv<Row, Key>(
  c: HttpContext,
  { name, columns, after, read, keyOf, present }: CsvExport<Row, Key>,
): Promise<Response> {
  const encoder = new TextEncoder();
  const readAfter = (key: Key | null) => read({ limit: EXPORT_ENTRIES, offset: 0, after: key });
  const lineOf = (row: Row) => {
    const fields = present(row);
    return csvLine(columns.map((column) => textOf(fields[column])));
  };
  let head = csvLine(columns);
  let ready: Row[] | undefined = await readAfter(after);
  let place = after;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const rows: Row[] = ready ?? (await readAfter(place));
          ready = undefined;
          const shown = rows.slice(0, EXPORT_ENTRIES);
          controller.enqueue(encoder.encode(head + shown.map(lineOf).join("")));
          head = "";
          const last = rows.length > EXPORT_ENTRIES ? shown.at(-1) : undefined;
          if (last === undefined) controller.close();
          else place = keyOf(last);
        } catch (error) {
          logLine("error", "export_failed", { list: name, error: errorText(error) });
          throw error;
        }
      },
    },
    { highWaterMark: 0 },
  );
  return c.body(body, 200, {
    "Content-Type": "text/csv; charset=utf-8; header=present",
    "Content-Disposition": `attachment; filename="${name}.csv"`,
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
