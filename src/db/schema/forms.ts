import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Language } from "../../lib/languages.ts";
import { timestamp } from "./columns.ts";

export const NAME_FIELDS = ["none", "optional", "required"] as const;

export const FORM_ALIGNS = ["left", "center"] as const;

/** How a sign-up form looks, besides the brand. */
export interface FormLook {
  /** The side of its heading, texts and button. */
  align: (typeof FORM_ALIGNS)[number];
  /** Color `#rrggbb` instead of the accent of the brand; null for that one. */
  accent: string | null;
  /** True to show the logo of the brand. */
  showLogo: boolean;
  /** True if embedded forms show logo, title and text, too. */
  embedHeading: boolean;
}

/** What a sign-up form shows, and what it does with an answer. */
export interface FormContent extends FormLook {
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

/** The content of a form as stored; without a look, it has the one of the service. */
export type StoredFormContent = Omit<FormContent, keyof FormLook> & Partial<FormLook>;

/** Sign-up forms, which have public pages of their own. WITHOUT ROWID. */
export const forms = sqliteTable(
  "forms",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    name: text().notNull(),
    isOpen: integer("is_open", { mode: "boolean" }).notNull(),
    content: text({ mode: "json" }).$type<StoredFormContent>().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [index("forms_by_name").on(table.projectId, table.name)], // order of the list
);
