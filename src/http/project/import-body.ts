import { z } from "zod";
import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import type { ImportRow } from "../../services/subscribers/index.ts";
import { metadataField, personField } from "../fields.ts";
import { firstIssue } from "../issues.ts";

/** The most rows of an import (API reference §4.2). */
const MAX_ROWS = 50_000;

/**
 * A row of an import. A missing email or one that is no text is a rejected row, like any invalid
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
  },
  { error: "must be an object" },
);

/** The rows of an import; it stops at the first that is no row, and names it (counted from 0). */
export const importBody = z
  .array(z.unknown(), { error: "the body must be a JSON array" })
  .max(MAX_ROWS, `at most ${MAX_ROWS} rows`)
  .transform((given, context): ImportRow[] => {
    const rows: ImportRow[] = [];
    for (const [index, value] of given.entries()) {
      const parsed = importRow.safeParse(value);
      if (!parsed.success) {
        const message = `row ${index}: ${firstIssue(parsed.error.issues)}`;
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      }
      rows.push(parsed.data);
    }
    return rows;
  });
