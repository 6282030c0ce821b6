import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/**
 * Imports of an exported project, at most one per target project. An interrupted import resumes
 * after its finished lines. WITHOUT ROWID.
 */
export const projectImports = sqliteTable("project_imports", {
  projectId: text("project_id").primaryKey(),
  exportId: text("export_id").notNull(),
  startedAt: timestamp().notNull(),
  /** Number of finished lines, in order. */
  lines: integer().notNull().default(0),
});
