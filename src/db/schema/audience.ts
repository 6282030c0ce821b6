import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { SUBSCRIBER_STATUSES } from "../../lib/subscriber-statuses.ts";
import { timestamp } from "./columns.ts";

export { SUBSCRIBER_STATUSES };

export const SUPPRESSION_REASONS = ["hard_bounce", "unsubscribed", "manual"] as const;

/**
 * Subscribers. WITHOUT ROWID: an import of up to 50,000 rows writes, per row, the row itself and
 * two index entries, plus one for each source, name and tag.
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
    /** Copy of `metadata.source`, on which broadcasts filter. */
    source: text().notNull(),
    subscribedAt: timestamp().notNull(),
    unsubscribedAt: timestamp(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    /**
     * The status that undoing an unsubscription restores; null unless a link in an email
     * unsubscribed the address.
     */
    statusBefore: text("status_before", { enum: SUBSCRIBER_STATUSES }),
    /**
     * The broadcast whose link last unsubscribed this subscriber; the broadcast counts each
     * subscriber once.
     */
    leftBy: text("left_by"),
    /** Tags in order, denormalized from `subscriber_tags`, so that conditions need no join. */
    tags: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /**
     * Time of the latest first open of a mail, and of the latest first human click. Not indexed.
     */
    lastOpenedAt: timestamp(),
    lastClickedAt: timestamp(),
    /** The latest import with an id that named this subscriber. */
    importId: text("import_id"),
  },
  (table) => [
    uniqueIndex("subscribers_by_email").on(table.projectId, table.email),
    // Broadcast chunks (one status, ascending id), and the list (merge of the three statuses).
    index("subscribers_by_status").on(table.projectId, table.status, table.id),
    // Broadcast chunks of one source. Partial: skips subscribers without a source.
    index("subscribers_by_source")
      .on(table.projectId, table.status, table.source, table.id)
      .where(sql`source <> ''`),
    // Search by name. Partial: skips subscribers without a name.
    index("subscribers_by_name")
      .on(table.projectId, table.name)
      .where(sql`name <> ''`),
    // People of an import. Partial: skips subscribers without one.
    index("subscribers_by_import")
      .on(table.projectId, table.importId, table.id)
      .where(sql`import_id is not null`),
  ],
);

/** Imports that conditions can refer to. WITHOUT ROWID. */
export const imports = sqliteTable(
  "imports",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    name: text().notNull(),
    createdAt: timestamp().notNull(),
    /** Number of subscribers that it added. */
    imported: integer().notNull().default(0),
    /** Number of subscribers in it that the project already had. */
    existing: integer().notNull().default(0),
  },
  (table) => [index("imports_by_project").on(table.projectId, table.id)],
);

/** Index of `subscribers.tags`. Every write of tags updates both. WITHOUT ROWID. */
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
 * Recipients of broadcasts whose mails were accepted, one row per recorded group. Rows are deleted
 * once older than any span that a condition can name. WITHOUT ROWID.
 */
export const subscriberMailings = sqliteTable(
  "subscriber_mailings",
  {
    projectId: text("project_id").notNull(),
    at: timestamp().notNull(),
    /** Smallest and largest of the ids. */
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
    /** The condition as one line of text (services/segments). */
    condition: text().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [uniqueIndex("segments_by_name").on(table.projectId, table.name)],
);

export const FIELD_TYPES = ["text", "number", "date", "boolean", "choice", "list", "url"] as const;

/** Descriptions of keys of the subscribers' metadata, which stays as it is. WITHOUT ROWID. */
export const fields = sqliteTable(
  "fields",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    key: text().notNull(),
    label: text().notNull(),
    type: text({ enum: FIELD_TYPES }).notNull(),
    /** Values that forms offer for a choice or a list. */
    choices: text({ mode: "json" }).$type<string[]>().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [uniqueIndex("fields_by_key").on(table.projectId, table.key)],
);

export const UNSUBSCRIPTION_GRAINS = ["hour", "day"] as const;

/**
 * Unsubscriptions per hour and per day (UTC), updated in the same batch as the status, so that
 * charts never count table rows. WITHOUT ROWID.
 */
export const unsubscriptionCounts = sqliteTable(
  "unsubscription_counts",
  {
    projectId: text("project_id").notNull(),
    grain: text({ enum: UNSUBSCRIPTION_GRAINS }).notNull(),
    /** Start of the hour or day. */
    at: timestamp().notNull(),
    n: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.grain, table.at] })],
);

/**
 * Suppressed addresses. WITHOUT ROWID; ids are ULIDs. The send path queries only by project and
 * email.
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
    index("suppressions_by_reason").on(table.projectId, table.reason, table.id), // the list, and ?reason=
  ],
);

/**
 * Soft bounces: at most one row per address, deleted once a mail to it is delivered. WITHOUT ROWID.
 */
export const softBounces = sqliteTable(
  "soft_bounces",
  {
    projectId: text("project_id").notNull(),
    email: text().notNull(),
    /** Number of days (UTC) with a soft bounce; 0 after a delivery. */
    days: integer().notNull(),
    /** First and last of these days, in days since 1970-01-01. */
    firstDay: integer("first_day").notNull(),
    lastDay: integer("last_day").notNull(),
    /** 1 if a soft bounce came as a report, after the server had accepted the mail. */
    byReport: integer("by_report").notNull().default(0),
    /** Day of the first mail accepted since; null once a report refers to that mail. */
    acceptedDay: integer("accepted_day"),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.email] })],
);
