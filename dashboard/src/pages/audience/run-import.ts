import { CsvError } from "../../../../src/lib/parse-csv.ts";
import { cellOf, rowsOf, splitCsv } from "./split-csv.ts";
import type { ImportAnswer, ImportBody } from "./list-import.ts";

/** Rows of one call. For a call of this size, the service names all rejected rows. */
const MOST_ROWS = 5_000;

/** The outcomes that an import counts. */
export const COUNTED_OUTCOMES = [
  "imported",
  "unsubscribed",
  "suppressed",
  "skipped",
  "ignored",
  "rejected_rows",
] as const;

const COUNTS = ["rows", ...COUNTED_OUTCOMES] as const;

/** The report on the parts that are done. An import that broke off goes on with the next one. */
export interface Progress {
  parts: number;
  rows: number;
  answer?: ImportAnswer;
}

export const NO_PROGRESS: Progress = { parts: 0, rows: 0 };

interface ImportRun {
  body: ImportBody & { file: string };
  call: (body: ImportBody) => Promise<ImportAnswer>;
  from: Progress;
  onPart: (progress: Progress) => void;
  /** Tells that nobody waits for the report any more. */
  isStale: () => boolean;
}

/** Imports a file of any length part by part, or looks at it, and adds up the reports. */
export async function runImport({ body, call, from, onPart, isStale }: ImportRun) {
  const read = rowsIfValid(body.file);
  if (!read || read.rows.length <= MOST_ROWS) return call(body);
  const { header, rows } = read;
  // the header alone decides what becomes of the columns
  const asked = await call({ ...body, file: header, dry_run: true });
  if (asked.needs.includes("mapping")) return { ...asked, rows: rows.length };
  const column = asked.columns.indexOf(asked.mapping.email ?? "");
  const parts = splitCsv(body.file, MOST_ROWS, column);
  let done = from;
  for (const { text, rows: count, lineOf } of parts.slice(from.parts)) {
    if (isStale()) break;
    const answer = await call({ ...body, file: text });
    const rejected = answer.rejected.map((row) => ({ ...row, line: lineOf(row.line) }));
    const sum = add(done.answer, { ...answer, rejected });
    done = { parts: done.parts + 1, rows: done.rows + count, answer: sum };
    onPart(done);
  }
  return done.answer ?? asked;
}

/** Returns the rows of a file, or undefined for one whose invalid line the service will name. */
function rowsIfValid(file: string) {
  try {
    return rowsOf(file);
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

function add(sum: ImportAnswer | undefined, answer: ImportAnswer): ImportAnswer {
  if (!sum) return answer;
  const counts = COUNTS.map((name) => [name, sum[name] + answer[name]] as const);
  return {
    ...sum,
    ...(Object.fromEntries(counts) as Record<(typeof COUNTS)[number], number>),
    needs: [...new Set([...sum.needs, ...answer.needs])],
    rejected: [...sum.rejected, ...answer.rejected],
  };
}

/** Returns the different texts of a column, as far as a person can give each a meaning. */
export function valuesOf(file: string, columns: readonly string[], column: string): string[] {
  const place = columns.indexOf(column);
  const values = rowsOf(file).rows.map((row) => cellOf(row, place).toLowerCase());
  return [...new Set(values)].slice(0, MOST_VALUES);
}

const MOST_VALUES = 30;
