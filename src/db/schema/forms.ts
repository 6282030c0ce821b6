import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Language } from "../../lib/languages.ts";
import { timestamp } from "./columns.ts";

export const NAME_FIELDS = ["none", "optional", "required"] as const;

/** What a sign-up form shows, and what it does with an answer. */
export interface FormContent {
  title: string;
  text: string;
  button: string;
  /** Text of the consent; "" for the project's. */
  consentText: string;
  nameField: (typeof NAME_FIELDS)[number];
  /** The other fields, by the key of their field of the project. */
  fields: { key: string; required: boolean }[];
  /** Ids of topics; without any, new subscribers get the project's default topics. */
  topics: string[];
  /** True if the person chooses among the topics. */
  chooseTopics: boolean;
  /** True to ask for a confirmation even if the project does not. */
  doubleOptIn: boolean;
  /** Where a browser goes after the form; null for a page of the service. */
  redirectUrl: string | null;
  /** Null for the project's. */
  language: Language | null;
}

/** Sign-up forms, which have public pages of their own. WITHOUT ROWID. */
export const forms = sqliteTable(
  "forms",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    name: text().notNull(),
    isOpen: integer("is_open", { mode: "boolean" }).notNull(),
    content: text({ mode: "json" }).$type<FormContent>().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [index("forms_by_name").on(table.projectId, table.name)], // order of the list
);
