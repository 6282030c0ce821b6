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
import type { NotedOutcome } from "./log.ts";

export const SUBSCRIBER_STATUSES = ["active", "pending", "unsubscribed"] as const;
export const SUPPRESSION_REASONS = ["hard_bounce", "unsubscribed", "manual"] as const;

/**
 * Subscribers. WITHOUT ROWID: each of the 50,000 rows of an import costs the row itself and two
 * index entries, and one each for a source and a name.
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
 * Addresses whose mailbox refuses mail for now: at most one row each, which a delivery removes.
 * WITHOUT ROWID.
 */
export const softBounces = sqliteTable(
  "soft_bounces",
  {
    projectId: text("project_id").notNull(),
    email: text().notNull(),
    /** The number of days (UTC) with such a refusal. */
    days: integer().notNull(),
    /** The first and the last of them, counted since 1970. */
    firstDay: integer("first_day").notNull(),
    lastDay: integer("last_day").notNull(),
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
 * loses one. The table keeps its first name.
 */
export const pendingMails = sqliteTable(
  "owed_mails",
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
    index("owed_mails_by_due").on(table.dueAt),
    index("owed_mails_by_project").on(table.projectId, table.dueAt), // each sweep takes a few of each
  ],
);

export const BROADCAST_KINDS = ["broadcast", "batch"] as const;

export const BROADCAST_STATES = ["queued", "sending", "paused", "done", "cancelled"] as const;

/**
 * A broadcast with the content at its start: later changes to a template do not affect it. A batch is
 * one whose recipients are stored in its chunks. Its content goes when it is done.
 */
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
    /** Key of the log ids: a subscriber has one log id in a broadcast, and nobody can guess it. */
    logKey: text("log_key").notNull(),
    /** Last subscriber id of the audience; those who joined after the start have greater ids. */
    cutoffId: text("cutoff_id").notNull(),
    /** Last subscriber id with a planned chunk; planning is complete once it is the cut-off. */
    plannedId: text("planned_id").notNull(),
    /** Time at which the sweep resumes the planning. */
    planDueAt: timestamp().notNull(),
    /** Counts of the finished chunks. */
    sent: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    bounced: integer().notNull().default(0),
    suppressed: integer().notNull().default(0),
    /** Reason for the pause, when the service paused it. */
    error: text(),
    createdAt: timestamp().notNull(),
    finishedAt: timestamp(),
    /** Recipients who complained since the start, or since it was last resumed. */
    complaints: integer().notNull().default(0),
    /** Time at which a worker last began a turn; projects take turns. */
    turnAt: timestamp().notNull().default(0),
    kind: text({ enum: BROADCAST_KINDS }).notNull().default("broadcast"),
    /** The size of the audience at the start; null for a broadcast from before it was counted. */
    total: integer(),
    /** The part of `failed` whose outcome is unknown. */
    unknown: integer().notNull().default(0),
    /** The broadcast that mails the failed recipients again; null before there is one. */
    retriedBy: text("retried_by"),
    /** Time of the look at the sample; 0 without a sample, or after the look. */
    looksAt: timestamp().notNull().default(0),
  },
  (table) => [
    index("broadcasts_by_project").on(table.projectId, table.kind, table.id),
    index("broadcasts_by_state").on(table.state, table.planDueAt), // the minute sweep
  ],
);

export const CHUNK_STATES = ["pending", "claimed"] as const;

/** A recipient who waits for another attempt, with the reason of the last failure. */
export interface Deferred {
  id: string;
  error: string;
}

/** A mail of a batch whose outcome waits to be logged with others; its id alone means accepted. */
export type NotedMail = string | ({ id: string } & NotedOutcome);

/**
 * A chunk of subscriber ids of a broadcast, or of the recipients of a batch: the ledger that prevents
 * mailing a recipient twice. A finished chunk is deleted, and its counts move to the broadcast. The
 * table keeps its first name. WITHOUT ROWID.
 */
export const broadcastChunks = sqliteTable(
  "broadcast_ranges",
  {
    broadcastId: text("broadcast_id").notNull(),
    /** Ids above this one … */
    afterId: text("after_id").notNull(),
    /** … up to and including this one. */
    untilId: text("until_id").notNull(),
    /** Last recipient id that is claimed. */
    cursorId: text("cursor_id").notNull(),
    state: text({ enum: CHUNK_STATES }).notNull(),
    /** 0 for the first attempt, one more for each backoff. */
    attempt: integer("pass").notNull().default(0),
    /** Due time while pending, end of the lease while claimed. */
    dueAt: timestamp().notNull(),
    leaseToken: text("lease_token").notNull(),
    /** Ids of subscribers claimed for SMTP, whose outcome is not recorded. */
    inFlight: text("in_flight", { mode: "json" }).$type<string[]>().notNull(),
    /** Subscribers to retry in this attempt before the chunk continues at its cursor. */
    again: text({ mode: "json" }).$type<Deferred[]>().notNull(),
    /** Subscribers deferred in this attempt. */
    deferred: text({ mode: "json" }).$type<Deferred[]>().notNull(),
    sent: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    bounced: integer().notNull().default(0),
    suppressed: integer().notNull().default(0),
    /**
     * Ids of subscribers whose mail was accepted, and who are neither logged nor counted yet. Those
     * of a batch include other outcomes.
     */
    accepted: text({ mode: "json" }).$type<NotedMail[]>().notNull().default([]),
    /** The recipients of a batch, packed (mailing/sources/batch/pack-recipients.ts). */
    recipients: text(),
    /** The part of `failed` whose outcome is unknown. */
    unknown: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.broadcastId, table.afterId] }),
    index("broadcast_ranges_by_due").on(table.state, table.dueAt), // the minute sweep
  ],
);
