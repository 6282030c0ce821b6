import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/**
 * The import of an exported project into another one, at most one for each. An import that broke
 * off goes on after the files that it has finished. WITHOUT ROWID.
 */
export const projectImports = sqliteTable(
  "project_imports",
  {
    projectId: text("project_id").primaryKey(),
    exportId: text("export_id").notNull(),
    /** The project that was exported; its ids are those of the imported rows. */
    sourceProjectId: text("source_project_id").notNull(),
    startedAt: timestamp().notNull(),
    /** The finished files, from the first one on. */
    files: integer().notNull().default(0),
    /** Null until all rows are in. */
    finishedAt: timestamp(),
  },
  (table) => [index("project_imports_by_source").on(table.sourceProjectId)], // no project twice
);
