import { CsvError } from "../../../../src/lib/parse-csv.ts";
import { cellOf, rowsOf, splitCsv } from "./split-csv.ts";
import type { ImportAnswer, ImportBody } from "./list-import.ts";

/** Rows per call. Up to this size, the response lists all rejected rows. */
const MOST_ROWS = 5_000;

export const COUNTED_OUTCOMES = [
  "imported",
  "unsubscribed",
  "suppressed",
  "skipped",
  "ignored",
  "rejected_rows",
] as const;

const COUNTS = ["rows", ...COUNTED_OUTCOMES] as const;

/** The combined report of the completed parts. An interrupted import resumes with the next part. */
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
  /** Returns true once the report is no longer needed. */
  isStale: () => boolean;
}

/** Imports a file of any length in parts, or performs a dry run, and combines the reports. */
export async function runImport({ body, call, from, onPart, isStale }: ImportRun) {
  const read = rowsIfValid(body.file);
  if (!read || read.rows.length <= MOST_ROWS) return call(body);
  const { header, rows } = read;
  // the header alone determines the mapping
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

/**
 * Returns the rows of a file, or undefined if it is invalid, which the service then reports by
 * line.
 */
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

/** Returns the distinct values of a column, up to a number that a user can reasonably map. */
export function valuesOf(file: string, columns: readonly string[], column: string): string[] {
  const place = columns.indexOf(column);
  const values = rowsOf(file).rows.map((row) => cellOf(row, place).toLowerCase());
  return [...new Set(values)].slice(0, MOST_VALUES);
}

const MOST_VALUES = 30;
