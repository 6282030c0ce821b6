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

/** WITHOUT ROWID: an import of 50,000 rows writes the row itself and two index entries each (three with a source). */
export const subscribers = sqliteTable(
  "subscribers",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    email: text().notNull(),
    name: text().notNull(),
    status: text({ enum: SUBSCRIBER_STATUSES }).notNull(),
    metadata: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** `metadata.source`, which broadcasts filter on. */
    source: text().notNull(),
    subscribedAt: timestamp().notNull(),
    unsubscribedAt: timestamp(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    /** The status that an undo restores; null unless the link of a mail made it unsubscribed. */
    statusBefore: text("status_before", { enum: SUBSCRIBER_STATUSES }),
  },
  (table) => [
    uniqueIndex("subscribers_by_email").on(table.projectId, table.email),
    // Broadcast ranges (one status, ascending id) and the list (a merge over the three statuses).
    index("subscribers_by_status").on(table.projectId, table.status, table.id),
    // Broadcast ranges of one source; a subscriber without a source costs nothing here.
    index("subscribers_by_source")
      .on(table.projectId, table.status, table.source, table.id)
      .where(sql`source <> ''`),
  ],
);

/** WITHOUT ROWID; ids are ULIDs. The send path asks by project and email alone. */
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

export const OWED_MAIL_KINDS = ["subscriber", "invitation", "reset", "confirm", "notice"] as const;

/**
 * Mails the service owes a subscriber (a waitlist confirmation, a welcome): written with the subscriber,
 * removed when the mail's outcome is known, so that a lost queue message or a dead worker loses none.
 */
export const owedMails = sqliteTable(
  "owed_mails",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    subscriberId: text("subscriber_id").notNull(),
    /** The template by id, or else by name: the project's own, then the built-in one. */
    templateId: text("template_id"),
    templateName: text("template_name"),
    attempts: integer().notNull().default(0),
    /** When the sweep looks after it. */
    dueAt: timestamp().notNull(),
    createdAt: timestamp().notNull(),
    /** What it is: a mail to a subscriber, or one of the service itself, which has no subscriber. */
    kind: text({ enum: OWED_MAIL_KINDS }).notNull().default("subscriber"),
    /** What a mail of the service is made from; never a token. */
    data: text({ mode: "json" }).$type<Record<string, string>>(),
    /** Whoever holds a public key wrote the metadata of its subscriber. */
    isPublic: integer("is_public", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("owed_mails_by_due").on(table.dueAt),
    index("owed_mails_by_project").on(table.projectId, table.dueAt), // the sweep takes some of each
  ],
);

export const BROADCAST_STATES = ["queued", "sending", "paused", "done", "cancelled"] as const;

/** A broadcast with the content it was started with: a template changed later changes nothing in it. */
export const broadcasts = sqliteTable(
  "broadcasts",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    templateId: text("template_id"),
    subject: text().notNull(),
    htmlBody: text("html_body").notNull(),
    textBody: text("text_body").notNull(),
    /** Subscribers of this status … */
    status: text({ enum: SUBSCRIBER_STATUSES }).notNull(),
    /** … and this `metadata.source`, when not null. */
    source: text(),
    state: text({ enum: BROADCAST_STATES }).notNull(),
    /** Key of the log ids: one subscriber has one log id in a broadcast, and nobody can guess it. */
    logKey: text("log_key").notNull(),
    /** Subscribers with a greater id joined after the start and are left out. */
    cutoffId: text("cutoff_id").notNull(),
    /** Ranges are planned up to this subscriber id; all of them once it is the cut-off. */
    plannedId: text("planned_id").notNull(),
    /** When the sweep looks after the planning again. */
    planDueAt: timestamp().notNull(),
    /** Counts of the ranges that are done. */
    sent: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    bounced: integer().notNull().default(0),
    suppressed: integer().notNull().default(0),
    /** Why it was paused, when the service did it. */
    error: text(),
    createdAt: timestamp().notNull(),
    finishedAt: timestamp(),
  },
  (table) => [
    index("broadcasts_by_project").on(table.projectId, table.id),
    index("broadcasts_by_state").on(table.state, table.planDueAt), // the minute sweep
  ],
);

export const RANGE_STATES = ["pending", "claimed"] as const;

/** A recipient who waits for another attempt, with the reason of the last one. */
export interface Deferred {
  id: string;
  error: string;
}

/**
 * A range of subscriber ids of a broadcast: the ledger that keeps a recipient from being mailed
 * twice. A range that is done is deleted and its counts go to the broadcast. WITHOUT ROWID.
 */
export const broadcastRanges = sqliteTable(
  "broadcast_ranges",
  {
    broadcastId: text("broadcast_id").notNull(),
    /** Ids above this one … */
    afterId: text("after_id").notNull(),
    /** … up to and including this one. */
    untilId: text("until_id").notNull(),
    /** Recipients up to this id have been claimed. */
    cursorId: text("cursor_id").notNull(),
    state: text({ enum: RANGE_STATES }).notNull(),
    /** 0 for the first attempt, then one more for each backoff. */
    pass: integer().notNull().default(0),
    /** Due when pending, end of the lease when claimed. */
    dueAt: timestamp().notNull(),
    leaseToken: text("lease_token").notNull(),
    /** Ids of subscribers handed to SMTP and not yet settled. */
    inFlight: text("in_flight", { mode: "json" }).$type<string[]>().notNull(),
    /** Subscribers to be tried in this pass before the range goes on at its cursor. */
    again: text({ mode: "json" }).$type<Deferred[]>().notNull(),
    /** Subscribers deferred in this pass. */
    deferred: text({ mode: "json" }).$type<Deferred[]>().notNull(),
    sent: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    bounced: integer().notNull().default(0),
    suppressed: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.broadcastId, table.afterId] }),
    index("broadcast_ranges_by_due").on(table.state, table.dueAt), // the minute sweep
  ],
);
