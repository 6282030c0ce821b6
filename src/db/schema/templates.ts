import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TrackingSwitches } from "../../lib/tracking-switches.ts";
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
    /** True if a public signup can trigger a mail with this template. */
    isPublic: integer("is_public", { mode: "boolean" }).notNull().default(false),
    /** Text that email clients show next to the subject. */
    preheader: text().notNull().default(""),
    tracking: text({ mode: "json" }).$type<TrackingSwitches>().notNull().default({}),
  },
  (table) => [
    index("templates_by_update").on(table.projectId, table.updatedAt), // order of the list
    index("templates_by_name").on(table.projectId, table.name), // sends with an API key look up by name
  ],
);

/**
 * Earlier versions of templates, at most 100 each. The bodies are the last columns, so listing
 * versions does not read their overflow pages. WITHOUT ROWID.
 */
export const templateVersions = sqliteTable(
  "template_versions",
  {
    projectId: text("project_id").notNull(),
    templateId: text("template_id").notNull(),
    id: text().notNull(),
    /** `updated_at` of the template in this version; unique per template. */
    savedAt: timestamp().notNull(),
    name: text().notNull(),
    subject: text().notNull(),
    htmlBody: text("html_body").notNull(),
    textBody: text("text_body").notNull(),
    preheader: text().notNull().default(""),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.templateId, table.id] })],
);

/** Blocks of mails, kept under a name to insert into other mails. */
export const savedBlocks = sqliteTable(
  "saved_blocks",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    name: text().notNull(),
    /** As the dashboard's editor stores it in the HTML of a template. */
    block: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index("saved_blocks_by_name").on(table.projectId, table.name)], // order of the list
);
