import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

export const templates = sqliteTable(
  "templates",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    name: text().notNull(),
    subject: text().notNull(),
    htmlBody: text("html_body").notNull(),
    textBody: text("text_body").notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    /** True if anybody can make the service mail it to an address by joining the waitlist. */
    isPublic: integer("is_public", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("templates_by_update").on(table.projectId, table.updatedAt), // the list's order
    index("templates_by_name").on(table.projectId, table.name), // key-based sends look up by name
  ],
);

/**
 * Earlier states of templates, at most 100 of each. The bodies come last, so a list of versions
 * reads none of their pages. WITHOUT ROWID.
 */
export const templateVersions = sqliteTable(
  "template_versions",
  {
    projectId: text("project_id").notNull(),
    templateId: text("template_id").notNull(),
    id: text().notNull(),
    /** `updated_at` of the template in this state; no two states of a template share it. */
    savedAt: timestamp().notNull(),
    name: text().notNull(),
    subject: text().notNull(),
    htmlBody: text("html_body").notNull(),
    textBody: text("text_body").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.templateId, table.id] })],
);
