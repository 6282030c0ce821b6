import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/**
 * Imports of an exported project, at most one per target project. An interrupted import resumes
 * after its finished files. WITHOUT ROWID.
 */
export const projectImports = sqliteTable(
  "project_imports",
  {
    projectId: text("project_id").primaryKey(),
    exportId: text("export_id").notNull(),
    /** The exported project, from which the ids of the imported rows come. */
    sourceProjectId: text("source_project_id").notNull(),
    startedAt: timestamp().notNull(),
    /** Number of finished files, in order. */
    files: integer().notNull().default(0),
    /** Null until all rows are in. */
    finishedAt: timestamp(),
  },
  (table) => [index("project_imports_by_source").on(table.sourceProjectId)], // prevents importing a project twice
);
