import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { FILL_LEVELS } from "../../lib/storage-fill.ts";
import { timestamp } from "./columns.ts";

/** The fill level of this database: one row, which the migration inserts. WITHOUT ROWID. */
export const storage = sqliteTable("storage", {
  id: text().primaryKey(),
  /** The size at the last measurement, as D1 reports it. */
  bytes: integer().notNull(),
  /** The bytes removed since the size last grew, in case D1 counts free pages as used. */
  freedBytes: integer("freed_bytes").notNull(),
  level: text({ enum: FILL_LEVELS }).notNull(),
  /** 0 before the first measurement. */
  measuredAt: timestamp().notNull(),
});

/**
 * The retention of the email log while storage is short. One row, as in `storage`.
 * WITHOUT ROWID.
 */
export const logRetention = sqliteTable("log_retention", {
  id: text().primaryKey(),
  /** The shortened retention in days; null while LOG_RETENTION_DAYS applies. */
  days: integer(),
  /** The time before which a shortened retention has removed entries; 0 if none ever did. */
  keptFrom: timestamp().notNull(),
});
