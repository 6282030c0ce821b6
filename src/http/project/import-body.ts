import { z } from "zod";
import type { FaultyRow, ImportRow } from "../../services/subscribers/index.ts";
import { firstIssue } from "../issues.ts";
import { writtenAs } from "../route/written-as.ts";
import { importRow } from "./subscriber-input.ts";
import { sourceRowsOf, type SourceRows } from "./import-rows.ts";
import { fault, refuse } from "../fault.ts";

/** Maximum number of rows in an import (API reference §4.2). */
const MAX_ROWS = 50_000;

/** Rows of an import, validated again on each iteration. */
class ImportRows {
  readonly length: number;
  readonly metadataColumns: SourceRows["metadataColumns"];
  readonly #rows: SourceRows;

  constructor(rows: SourceRows) {
    this.#rows = rows;
    this.length = rows.length;
    this.metadataColumns = rows.metadataColumns;
  }

  *[Symbol.iterator](): Generator<ImportRow | FaultyRow> {
    for (const { value, line } of this.#rows) {
      const parsed = importRow.safeParse(value);
      if (parsed.success) yield { ...parsed.data, line };
      else yield { email: emailIn(value), line, fault: firstIssue(parsed.error.issues) };
    }
  }
}

/** Returns the email of an invalid row, if it has one. */
function emailIn(value: unknown): string {
  const parsed = importRow.pick({ email: true }).safeParse(value);
  return parsed.success ? parsed.data.email : "";
}

/** The body of an import. The handler rejects invalid rows one by one. */
export const importBody = writtenAs(
  z.unknown().transform((given, context): ImportRows => {
    const rows = sourceRowsOf(given);
    if (rows && rows.length <= MAX_ROWS) return new ImportRows(rows);
    const message = rows
      ? fault("too_many", { max: MAX_ROWS })
      : fault("body_type", { expected: "a JSON array" });
    return refuse(context, message);
  }),
  z.array(importRow.required({ email: true })).max(MAX_ROWS),
);
