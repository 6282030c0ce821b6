import { CsvError, type CsvRecord } from "../../../../../src/lib/parse-csv.ts";
import { writersOf, type FileColumn } from "./import-columns.ts";
import { rowsOf, splitCsv, textOf } from "./split-csv.ts";
import type { ImportAnswer, ImportBody } from "./list-import.ts";

/** Rows per call. Up to this size, the response lists all rejected rows. */
const MOST_ROWS = 5_000;

const COUNTED_OUTCOMES = [
  "imported",
  "unsubscribed",
  "suppressed",
  "skipped",
  "duplicates",
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
  file: string;
  body: Omit<ImportBody, "file">;
  columns: readonly FileColumn[];
  call: (body: ImportBody) => Promise<ImportAnswer>;
  from: Progress;
  onPart: (progress: Progress) => void;
  /** Returns true once the report is no longer needed. */
  isStale: () => boolean;
}

/**
 * Imports a file of any length in parts, or performs a dry run, and combines the reports. The cells
 * are rewritten for the types of their fields.
 */
export async function runImport({ file, body, columns, call, from, onPart, isStale }: ImportRun) {
  const place = columns.find(({ use }) => use === "email")?.place ?? -1;
  const parts = splitCsv(file, { most: MOST_ROWS, place, writers: writersOf(columns) });
  let done = from;
  for (const { text, rows: count, lineOf } of parts.slice(from.parts)) {
    if (isStale()) break;
    const answer = await call({ ...body, file: text });
    const rejected = answer.rejected.map((row) => ({ ...row, line: lineOf(row.line) }));
    const sum = add(done.answer, { ...answer, rejected });
    done = { parts: done.parts + 1, rows: done.rows + count, answer: sum };
    onPart(done);
  }
  return done.answer ?? call({ ...body, file, dry_run: true });
}

/** What a file holds: its rows, and what the service makes of its columns. */
export interface FileLook {
  rows: readonly CsvRecord[];
  answer: ImportAnswer;
}

/** Looks at the columns and the first rows of a file. */
export async function lookAt(file: string, call: ImportRun["call"]): Promise<FileLook> {
  const read = rowsIfValid(file);
  const first = read ? [read.header, ...read.rows.slice(0, SHOWN_ROWS).map(textOf)] : [file];
  const answer = await call({ file: first.join("\n"), dry_run: true });
  return { rows: read?.rows ?? [], answer };
}

/** Rows of a file that are shown beside its mapping. */
export const SHOWN_ROWS = 5;

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
