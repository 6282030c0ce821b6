import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

export const SUBSCRIBER_STATUSES = ["active", "pending", "unsubscribed"] as const;
export const SUPPRESSION_REASONS = ["hard_bounce", "unsubscribed", "manual"] as const;

/**
 * Subscribers. WITHOUT ROWID: each of the 50,000 rows of an import costs the row itself and two
 * index entries, and one each for a source, a name and a tag.
 */
export const subscribers = sqliteTable(
  "subscribers",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    email: text().notNull(),
    name: text().notNull(),
    status: text({ enum: SUBSCRIBER_STATUSES }).notNull(),
    metadata: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** `metadata.source`, on which broadcasts filter. */
    source: text().notNull(),
    subscribedAt: timestamp().notNull(),
    unsubscribedAt: timestamp(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    /**
     * The status that an undo restores; null unless the link in a mail unsubscribed the address.
     */
    statusBefore: text("status_before", { enum: SUBSCRIBER_STATUSES }),
    /** The broadcast by whose link the subscriber last left, which counts them once. */
    leftBy: text("left_by"),
    /** Tags in order, as `subscriber_tags` has them. A condition reads them with the row. */
    tags: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** The last first open of a mail, and the last first click of a person; no index has them. */
    lastOpenedAt: timestamp(),
    lastClickedAt: timestamp(),
  },
  (table) => [
    uniqueIndex("subscribers_by_email").on(table.projectId, table.email),
    // Broadcast chunks (one status, ascending id) and the list (a merge over the three statuses).
    index("subscribers_by_status").on(table.projectId, table.status, table.id),
    // Broadcast chunks of one source; a subscriber without a source has no entry here.
    index("subscribers_by_source")
      .on(table.projectId, table.status, table.source, table.id)
      .where(sql`source <> ''`),
    // The search by name; a subscriber without a name has no entry here.
    index("subscribers_by_name")
      .on(table.projectId, table.name)
      .where(sql`name <> ''`),
  ],
);

/**
 * The subscribers of each tag, the index of `subscribers.tags`: every write of the tags writes
 * both. WITHOUT ROWID.
 */
export const subscriberTags = sqliteTable(
  "subscriber_tags",
  {
    projectId: text("project_id").notNull(),
    tag: text().notNull(),
    subscriberId: text("subscriber_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.tag, table.subscriberId] })],
);

/**
 * The recipients of broadcasts whose mails were accepted, one row for each settle. A row goes after
 * the longest time that a condition may name. WITHOUT ROWID.
 */
export const subscriberMailings = sqliteTable(
  "subscriber_mailings",
  {
    projectId: text("project_id").notNull(),
    at: timestamp().notNull(),
    /** The least and the greatest of the ids. */
    firstId: text("first_id").notNull(),
    lastId: text("last_id").notNull(),
    ids: text({ mode: "json" }).$type<string[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.at, table.firstId] })],
);

/** Saved conditions on subscribers. WITHOUT ROWID. */
export const segments = sqliteTable(
  "segments",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    name: text().notNull(),
    /** The condition as a one-line text (services/segments). */
    condition: text().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [uniqueIndex("segments_by_name").on(table.projectId, table.name)],
);

export const UNSUBSCRIPTION_GRAINS = ["hour", "day"] as const;

/**
 * Unsubscriptions by hour and by day (UTC): the number moves with the status, so that no series
 * counts a table. WITHOUT ROWID.
 */
export const unsubscriptionCounts = sqliteTable(
  "unsubscription_counts",
  {
    projectId: text("project_id").notNull(),
    grain: text({ enum: UNSUBSCRIPTION_GRAINS }).notNull(),
    /** The beginning of the hour or day. */
    at: timestamp().notNull(),
    n: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.grain, table.at] })],
);

/**
 * Suppressed addresses. WITHOUT ROWID; ids are ULIDs. The send path queries by project and email
 * only.
 */
export const suppressions = sqliteTable(
  "suppressions",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    email: text().notNull(),
    reason: text({ enum: SUPPRESSION_REASONS }).notNull(),
    source: text().notNull(),
    createdAt: timestamp().notNull(),
    lastSeenAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex("suppressions_by_email").on(table.projectId, table.email),
    index("suppressions_by_reason").on(table.projectId, table.reason, table.id), // list and ?reason=
  ],
);

/**
 * Addresses whose mailbox refuses mail for now: at most one row each, until their mail arrives
 * again. WITHOUT ROWID.
 */
export const softBounces = sqliteTable(
  "soft_bounces",
  {
    projectId: text("project_id").notNull(),
    email: text().notNull(),
    /** The number of days (UTC) with a refused mail; 0 after a delivery. */
    days: integer().notNull(),
    /** The first and the last of them, counted since 1970. */
    firstDay: integer("first_day").notNull(),
    lastDay: integer("last_day").notNull(),
    /** 1 if one of the refusals came as a report, after the server had accepted the mail. */
    byReport: integer("by_report").notNull().default(0),
    /**
     * The day of the first mail that the server accepted since; null once a report is about that
     * mail.
     */
    acceptedDay: integer("accepted_day"),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.email] })],
);

export const PENDING_MAIL_KINDS = [
  "subscriber",
  "invitation",
  "reset",
  "confirm",
  "notice",
] as const;

/**
 * Pending mails (a waitlist confirmation, a welcome, or mail of the service), stored with
 * their cause and removed once the outcome is known. Neither a lost queue message nor a dead worker
 * loses one.
 */
export const pendingMails = sqliteTable(
  "pending_mails",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    subscriberId: text("subscriber_id").notNull(),
    /** The template by id, or else by name: the project's own, then the built-in one. */
    templateId: text("template_id"),
    templateName: text("template_name"),
    attempts: integer().notNull().default(0),
    /** Time at which the sweep takes the mail up. */
    dueAt: timestamp().notNull(),
    createdAt: timestamp().notNull(),
    /** Kind of mail: to a subscriber, or from the service itself, which has no subscriber. */
    kind: text({ enum: PENDING_MAIL_KINDS }).notNull().default("subscriber"),
    /** Data for a mail of the service; never a token. */
    data: text({ mode: "json" }).$type<Record<string, string>>(),
    /** True when somebody with a public key wrote the subscriber's metadata. */
    isPublic: integer("is_public", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("pending_mails_by_due").on(table.dueAt),
    index("pending_mails_by_project").on(table.projectId, table.dueAt), // each sweep takes a few of each
    index("pending_mails_by_reset") // a new password ends the resets on their way
      .on(sql`data->>'to'`)
      .where(sql`kind = 'reset'`),
  ],
);
