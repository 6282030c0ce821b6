import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Append only: the log stores a status as its index in this list. */
export const LOG_STATUSES = ["sent", "failed", "bounced", "suppressed"] as const;

/** A UUID as 16 bytes (services/email-log/stored-form.ts). */
const storedId = (name: string) => blob(name, { mode: "buffer" });

/** An attempt that was retried. Its time is in milliseconds. */
export interface EarlierAttempt {
  at: number;
  error: string;
  /** Set for an attempt at the fallback server. */
  viaFallback?: true;
}

/** When a bounce of an accepted mail was reported, in milliseconds, and by what. */
export interface BounceReport {
  at: number;
  by: "imap" | "email" | "ingest";
}

/**
 * The email log. WITHOUT ROWID with two indexes, so that an entry costs three written rows, and its
 * open costs two:
 * - the primary key serves tracking and bounces that carry a Message-ID;
 * - the index by status and time serves the list, filtered or not (a merge of four statuses), and
 *   the edges of a window;
 * - the index by recipient serves bounces that name only an address, newest first. It skips mails
 *   of broadcasts, whose log ids derive from broadcast and subscriber (services/broadcasts).
 *
 * The log takes up most of a full database, so its rows are small: ids are bytes, the status is a
 * number, and `log_subjects` holds the subject that the mails of a broadcast share.
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
    /** Null if it is in `log_subjects`. */
    subject: text(),
    /** Index in LOG_STATUSES. */
    status: integer().notNull(),
    error: text(),
    /** Reason for a rejection or bounce (API reference §11.7); null for other mails. */
    reason: text(),
    /** Tags from the caller, and failures of cc and bcc addresses. */
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
    queueId: text("queue_id"), // queue id from the server's reply, if it names one
    /** Attempts before the last one, oldest first; null if there were none. */
    earlier: text({ mode: "json" }).$type<EarlierAttempt[]>(),
    /** The report of a bounce after the mail was accepted; null for other mails. */
    returned: text({ mode: "json" }).$type<BounceReport>(),
    /** 1 for a mail that no server gets (a test key, the simulator), else null. */
    test: integer(),
  },
  (table) => [
    index("log_entries_by_status").on(table.projectId, table.status, table.sentAt),
    index("log_entries_by_recipient")
      .on(table.projectId, table.toEmail, table.sentAt)
      .where(sql`broadcast_id is null`),
    index("log_entries_by_open") // opens at the edges of a time window
      .on(table.projectId, table.openedAt)
      .where(sql`opened_at is not null`),
    index("log_entries_tests") // the retention of test mails
      .on(table.sentAt)
      .where(sql`test is not null`),
    index("log_entries_by_test") // the number of test mails in a list
      .on(table.projectId, table.sentAt)
      .where(sql`test is not null`),
  ],
);

/** The subject that all mails of a broadcast share, unless it has variables. WITHOUT ROWID. */
export const logSubjects = sqliteTable(
  "log_subjects",
  {
    projectId: storedId("project_id").notNull(),
    broadcastId: storedId("broadcast_id").notNull(),
    subject: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.broadcastId] })],
);

/** Every recorded click, in chronological order. WITHOUT ROWID. */
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

/**
 * First opens of broadcasts by people, per broadcast and UTC hour of the open. The key begins with
 * the hour, so that the opens of a project in a period are one range. Deleted with the log.
 * WITHOUT ROWID.
 */
export const openHours = sqliteTable(
  "open_hours",
  {
    projectId: text("project_id").notNull(),
    hourAt: timestamp().notNull(),
    broadcastId: text("broadcast_id").notNull(),
    opens: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.hourAt, table.broadcastId] })],
);

export const ROLLUP_KINDS = ["log", "template", "link"] as const;
export const ROLLUP_GRAINS = ["hour", "day"] as const;

/**
 * Totals, updated in the same batch as the rows they count, so that no page counts table rows:
 * - `log`: mails by outcome, per hour and day of sending;
 * - `template`: accepted mails by template (`subject`), per hour and day of sending;
 * - `link`: clicks by link (`subject` is its SHA-256, `label` the URL), per hour and day of the
 *   click; kept as long as the log, because URLs may contain personal data.
 *
 * A single table, so that recording fifty mails updates all totals in one statement. WITHOUT ROWID.
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
    /** Mails sent in this bucket that were opened or clicked at any time since. */
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
    index("rollups_top_links") // most clicked links of a bucket, without scanning the rest
      .on(table.projectId, table.grain, table.bucketAt, table.clicks)
      .where(sql`kind = 'link'`),
  ],
);
