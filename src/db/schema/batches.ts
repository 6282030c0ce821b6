import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { BatchFailure } from "./log.ts";

/**
 * The recipients of batches that did not get the mail, in one row for each settle. They go with their
 * batch. WITHOUT ROWID.
 */
export const batchFailures = sqliteTable(
  "batch_failures",
  {
    batchId: text("batch_id").notNull(),
    id: text().notNull(),
    failures: text({ mode: "json" }).$type<BatchFailure[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.id] })],
);
