import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { FILL_LEVELS } from "../../lib/storage-fill.ts";
import { timestamp } from "./columns.ts";

/** Storage level of this database: one row, inserted by the migration. WITHOUT ROWID. */
export const storage = sqliteTable("storage", {
  id: text().primaryKey(),
  /** Size at the last measurement, as reported by D1. */
  bytes: integer().notNull(),
  /** Unused. Version 0.1.0 reads it while an update runs, so a later migration drops it. */
  freedBytes: integer("freed_bytes").notNull(),
  level: text({ enum: FILL_LEVELS }).notNull(),
  /** 0 before the first measurement. */
  measuredAt: timestamp().notNull(),
});

/**
 * Unused. Version 0.1.0 reads its only row while an update runs, so a later migration drops it.
 * WITHOUT ROWID.
 */
export const logRetention = sqliteTable("log_retention", {
  id: text().primaryKey(),
  days: integer(),
  keptFrom: timestamp().notNull(),
});
