import { z } from "zod";
import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import { badRequest } from "../../errors.ts";
import type { ImportRow } from "../../services/subscribers/index.ts";
import { metadataField, personField } from "../fields.ts";
import { firstIssue } from "../issues.ts";
import { topicsField } from "../topics-field.ts";
import { writtenAs } from "../route/written-as.ts";
import { tagsField } from "./tag-fields.ts";
import { sourceRowsOf, type SourceRows } from "./import-rows.ts";

/** The most rows of an import (API reference §4.2). */
const MAX_ROWS = 50_000;

/**
 * A row of an import. A missing email or one that is not a text is a rejected row, like any invalid
 * address; so is a row with an unknown status. A null counts as omitted.
 */
const importRow = z.object(
  {
    email: z.string().catch(""),
    name: personField.nullish().transform((name) => name ?? ""),
    status: z
      .enum(SUBSCRIBER_STATUSES)
      .nullish()
      .transform((status): ImportRow["status"] => status ?? "active")
      .catch("invalid"),
    metadata: metadataField.nullish().transform((metadata) => metadata ?? {}),
    tags: tagsField.nullish().transform((tags) => tags ?? []),
    topics: topicsField.nullish().transform((topics) => topics ?? []),
  },
  { error: "must be an object" },
);

/** The rows of an import; each reading checks them anew. */
class ImportRows {
  readonly length: number;
  readonly #rows: SourceRows;

  constructor(rows: SourceRows) {
    this.#rows = rows;
    this.length = rows.length;
  }

  /**
   * Throws bad_request for the first value that is not a row, with its line, or its position from
   * 0.
   */
  *[Symbol.iterator](): Generator<ImportRow> {
    let index = 0;
    for (const { value, line } of this.#rows) {
      const parsed = importRow.safeParse(value);
      const where = line === undefined ? `row ${index}` : `line ${line}`;
      if (!parsed.success) throw badRequest(`${where}: ${firstIssue(parsed.error.issues)}`);
      yield { ...parsed.data, line };
      index += 1;
    }
  }
}

/** The body of an import. Its handler meets the first value that is not a row. */
export const importBody = writtenAs(
  z.unknown().transform((given, context): ImportRows => {
    const rows = sourceRowsOf(given);
    if (rows && rows.length <= MAX_ROWS) return new ImportRows(rows);
    const message = rows ? `at most ${MAX_ROWS} rows` : "the body must be a JSON array";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }),
  z.array(importRow.required({ email: true })).max(MAX_ROWS),
);
