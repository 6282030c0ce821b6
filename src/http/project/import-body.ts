import { z } from "zod";
import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import type { ImportRow } from "../../services/subscribers/index.ts";
import { metadataField, personField } from "../fields.ts";
import { firstIssue } from "../issues.ts";

/** API reference §4.2. */
const MAX_ROWS = 50_000;

/**
 * An email that is missing or no text is a rejected row like any that is no address, and so is a row
 * with a status that there is not; a null is as good as left out.
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

/** The rows of an import; stops at the first that is no row, and names it (counted from 0). */
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
