import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

export const PENDING_MAIL_KINDS = [
  "subscriber",
  "invitation",
  "reset",
  "confirm",
  "notice",
  "scheduled",
] as const;

/**
 * Pending mails (a waitlist confirmation, a welcome, service email, or a scheduled mail): an outbox,
 * written in the same batch as their cause and deleted once the outcome is known, so that neither a
 * lost queue message nor a dead worker loses a mail.
 */
export const pendingMails = sqliteTable(
  "pending_mails",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    subscriberId: text("subscriber_id").notNull(),
    /**
     * The template, by id or else by name. A name resolves to the project's own template first,
     * then to the built-in one.
     */
    templateId: text("template_id"),
    templateName: text("template_name"),
    attempts: integer().notNull().default(0),
    /** When the sweep picks up the mail. */
    dueAt: timestamp().notNull(),
    createdAt: timestamp().notNull(),
    /**
     * Kind of mail: to a subscriber, from the service itself, or a send for a later time. Service
     * email has no subscriber (""), and a scheduled mail only if it is sent to one.
     */
    kind: text({ enum: PENDING_MAIL_KINDS }).notNull().default("subscriber"),
    /** Data of a service email, without a token; recipient and subject of a scheduled mail. */
    data: text({ mode: "json" }).$type<Record<string, string>>(),
    /** True if the subscriber's metadata came in with a public key. */
    isPublic: integer("is_public", { mode: "boolean" }).notNull().default(false),
    /** The send of a scheduled mail, sealed with the context `scheduled:<id>`. */
    sendSealed: text("send_sealed"),
  },
  (table) => [
    index("pending_mails_by_due").on(table.dueAt),
    index("pending_mails_by_project").on(table.projectId, table.dueAt), // each sweep takes a few per project
    index("pending_mails_by_reset") // a password change cancels pending reset emails
      .on(sql`data->>'to'`)
      .where(sql`kind = 'reset'`),
  ],
);
