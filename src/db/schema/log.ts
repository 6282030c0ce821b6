import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** The log stores the position of a status, so the order must not change. */
export const LOG_STATUSES = ["sent", "failed", "bounced", "suppressed"] as const;

/** An id: the 16 bytes of a UUID (services/email-log/stored-form.ts). */
const storedId = (name: string) => blob(name, { mode: "buffer" });

/** An attempt at a mail after which the service tried again. Its time is in milliseconds. */
export interface EarlierAttempt {
  at: number;
  error: string;
  /** Set for one at the fallback server. */
  viaFallback?: true;
}

/**
 * The email log. WITHOUT ROWID with two indexes, so that one entry costs three written rows (and
 * its open two):
 * - the primary key serves tracking and bounces that carry a Message-ID;
 * - the index by status and time serves the list, filtered or not (a merge over four statuses), and
 *   window edges;
 * - the index by recipient serves bounces that name only an address, newest first. It omits mails
 *   of broadcasts, whose log ids follow from broadcast and subscriber (services/broadcasts).
 *
 * The log is nearly all of a full database, so its rows are small: ids are bytes, the status is a
 * number, and `log_subjects` keeps the subject that the mails of a broadcast share.
 */
export const logEntries = sqliteTable(
  "log_entries",
  {
    id: storedId("id").primaryKey(),
    projectId: storedId("project_id").notNull(),
    subscriberId: storedId("subscriber_id"),
    templateId: storedId("template_id"),
    broadcastId: storedId("broadcast_id"),
    toEmail: text("to_email").notNull(),
    /** Null when it is that of `log_subjects`. */
    subject: text(),
    /** The position in LOG_STATUSES. */
    status: integer().notNull(),
    error: text(),
    /** The reason of a refusal or bounce (API reference §11.7); null for other mails. */
    reason: text(),
    /** The caller's tags, and failed outcomes of cc and bcc addresses. */
    tags: text({ mode: "json" }).$type<Record<string, string>>(),
    copies: text({ mode: "json" }).$type<
      { email: string; status: string; error: string; reason?: string }[]
    >(),
    sentAt: timestamp().notNull(),
    openedAt: timestamp(),
    clickedAt: timestamp(),
    openedClass: text("opened_class"),
    openedUserAgent: text("opened_user_agent"),
    openedIp: text("opened_ip"),
    viaFallback: integer("via_fallback"), // 1 for an outcome of the fallback server, else null
    queueId: text("queue_id"), // that the mail server gave the mail, if its reply named one
    /** The attempts before the last one, the oldest first; null without one. */
    earlier: text({ mode: "json" }).$type<EarlierAttempt[]>(),
  },
  (table) => [
    index("log_entries_by_status").on(table.projectId, table.status, table.sentAt),
    index("log_entries_by_recipient")
      .on(table.projectId, table.toEmail, table.sentAt)
      .where(sql`broadcast_id is null`),
    index("log_entries_by_open") // opens at the edges of a window
      .on(table.projectId, table.openedAt)
      .where(sql`opened_at is not null`),
  ],
);

/** The subject that mails of a broadcast share, unless it has variables. WITHOUT ROWID. */
export const logSubjects = sqliteTable(
  "log_subjects",
  {
    projectId: storedId("project_id").notNull(),
    broadcastId: storedId("broadcast_id").notNull(),
    subject: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.broadcastId] })],
);

/** Every recorded click, newest last. WITHOUT ROWID. */
export const emailClicks = sqliteTable(
  "email_clicks",
  {
    logId: text("log_id").notNull(),
    id: text().notNull(),
    url: text().notNull(),
    userAgent: text("user_agent").notNull(),
    ipAddress: text("ip_address").notNull(),
    class: text().notNull(),
    clickedAt: timestamp().notNull(),
  },
  (table) => [primaryKey({ columns: [table.logId, table.id] })],
);

export const ROLLUP_KINDS = ["log", "template", "link"] as const;
export const ROLLUP_GRAINS = ["all", "hour", "day"] as const;

/**
 * Totals that change in the same batch as the rows they count, so that no page counts a table:
 * - `log`: mails by outcome, in total (`all`, bucket 0), by hour and by day of sending;
 * - `template`: accepted mails by template (`subject`), hour and day of sending;
 * - `link`: clicks by link (`subject` is its SHA-256, `label` the URL), hour and day of the click;
 *   kept as long as the log, since URLs may be personal.
 *
 * One table, so that settling fifty mails updates all totals in one statement. WITHOUT ROWID.
 */
export const rollups = sqliteTable(
  "rollups",
  {
    projectId: text("project_id").notNull(),
    kind: text({ enum: ROLLUP_KINDS }).notNull(),
    grain: text({ enum: ROLLUP_GRAINS }).notNull(),
    bucketAt: timestamp().notNull(),
    subject: text().notNull().default(""),
    label: text().notNull().default(""),
    sent: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    bounced: integer().notNull().default(0),
    suppressed: integer().notNull().default(0),
    /** Mails sent in this bucket and opened or clicked since. */
    opened: integer().notNull().default(0),
    clicked: integer().notNull().default(0),
    /** First opens during this bucket. */
    opens: integer().notNull().default(0),
    /** Clicks during this bucket. */
    clicks: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({
      columns: [table.projectId, table.kind, table.grain, table.bucketAt, table.subject],
    }),
    index("rollups_top_links") // the most clicked links of a bucket, however many it has
      .on(table.projectId, table.grain, table.bucketAt, table.clicks)
      .where(sql`kind = 'link'`),
  ],
);
