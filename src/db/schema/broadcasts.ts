import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { SUBSCRIBER_STATUSES } from "./audience.ts";
import type {
  StoredReason,
  BatchFailure,
  BroadcastPlan,
  Deferred,
  NotedMail,
  VariantOutcome,
  WaitingFor,
} from "./broadcast-plans.ts";
import { timestamp } from "./columns.ts";

export const BROADCAST_KINDS = ["broadcast", "batch", "draft"] as const;

export const BROADCAST_STATES = [
  "draft",
  "scheduled",
  "queued",
  "sending",
  "paused",
  "done",
  "cancelled",
] as const;

/**
 * A broadcast with the content at its start: later changes to a template do not affect it. A batch
 * is one whose recipients are stored in its chunks. Its content goes when it is done. A draft
 * becomes a broadcast when it begins to send.
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
    /** Time at which the sweep resumes the planning, or starts a scheduled draft. */
    planDueAt: timestamp().notNull(),
    /** Counts of the finished chunks. */
    sent: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    bounced: integer().notNull().default(0),
    suppressed: integer().notNull().default(0),
    /** Reason for the pause, when the service paused it. */
    reasons: text({ mode: "json" }).$type<StoredReason[]>(),
    createdAt: timestamp().notNull(),
    finishedAt: timestamp(),
    /** Recipients who complained since the start, or since it was last resumed. */
    complaints: integer().notNull().default(0),
    /** Time at which a worker last began a turn; projects take turns. */
    turnAt: timestamp().notNull().default(0),
    kind: text({ enum: BROADCAST_KINDS }).notNull().default("broadcast"),
    /** The size of the audience at the start; null before it, and for a batch. */
    total: integer(),
    /** The part of `failed` whose outcome is unknown. */
    unknown: integer().notNull().default(0),
    /** The broadcast that mails the failed recipients again; null before there is one. */
    retriedBy: text("retried_by"),
    /** Time at which the service checks the canary; 0 without a canary, or after the check. */
    canaryDueAt: timestamp().notNull().default(0),
    /** Complaints from before the broadcast was last resumed. */
    earlierComplaints: integer("earlier_complaints").notNull().default(0),
    /** The name that its authors know it by; empty for a broadcast that was no draft. */
    name: text().notNull().default(""),
    /** The topic to whose subscribers it goes, if any. */
    topicId: text("topic_id"),
    /** The condition on the audience, fixed at the start; null for everybody. */
    audienceWhere: text(),
    /** The time from which its spans count back. */
    whereAt: timestamp().notNull().default(0),
    /** The last id before the audience. */
    fromId: text("from_id").notNull().default(""),
    /** The values of `{{broadcast.…}}`. */
    variables: text({ mode: "json" }).$type<Record<string, unknown>>(),
    /** Null for a broadcast that was no draft. */
    plan: text({ mode: "json" }).$type<BroadcastPlan>(),
    sendAt: timestamp(),
    /** The most mails in any hour. */
    perHour: integer("per_hour"),
    /** The creation of the draft; `created_at` is the start once there was one. */
    draftedAt: timestamp(),
    /** The version of a draft; each change makes it greater. */
    updatedAt: timestamp().notNull().default(0),
    /** Time at which the winner of an A/B test is chosen; 0 without an A/B test, or after the choice. */
    decidesAt: timestamp().notNull().default(0),
    /** The variant that won. */
    winner: integer(),
    /** The outcomes of the variants at the choice of the winner. */
    variantOutcomes: text({ mode: "json" }).$type<VariantOutcome[]>(),
    /** The broadcast for which it waits, while it is queued or due to begin. */
    waitingFor: text("waiting_for", { mode: "json" }).$type<WaitingFor>(),
    /** How often somebody resumed it. What a worker saw before does not pause it any more. */
    resumptions: integer().notNull().default(0),
  },
  (table) => [
    index("broadcasts_by_project").on(table.projectId, table.kind, table.id),
    index("broadcasts_by_state").on(table.state, table.planDueAt), // the minute sweep
  ],
);

export const CHUNK_STATES = ["pending", "claimed"] as const;

/**
 * A chunk of subscriber ids of a broadcast, or of the recipients of a batch: the ledger that
 * prevents mailing a recipient twice. A finished chunk is deleted, and its counts move to the
 * broadcast. WITHOUT ROWID.
 */
export const broadcastChunks = sqliteTable(
  "broadcast_chunks",
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
    attempt: integer().notNull().default(0),
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
    /** The variant that an A/B test sends to this chunk; null for a chunk outside of an A/B test. */
    variant: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.broadcastId, table.afterId] }),
    index("broadcast_chunks_by_due").on(table.state, table.dueAt), // the minute sweep
  ],
);

/**
 * The content of a variant at the start of its broadcast. Rows are large, so the table has rowids.
 */
export const broadcastVariants = sqliteTable(
  "broadcast_variants",
  {
    broadcastId: text("broadcast_id").notNull(),
    n: integer().notNull(),
    templateId: text("template_id"),
    subject: text().notNull(),
    fromName: text("from_name"),
    htmlBody: text("html_body").notNull(),
    textBody: text("text_body").notNull(),
  },
  (table) => [primaryKey({ columns: [table.broadcastId, table.n] })],
);

/**
 * The mails of a broadcast that were opened, and the recipients who unsubscribed by its link. Each
 * counts once. `clicked` counts only mails whose link `broadcast_links` does not keep: the sum of
 * both tables is the number of clicked mails, so a click writes to one of them alone. WITHOUT
 * ROWID.
 */
export const broadcastCounts = sqliteTable(
  "broadcast_counts",
  {
    projectId: text("project_id").notNull(),
    broadcastId: text("broadcast_id").notNull(),
    opened: integer().notNull().default(0),
    /** Those whose first open was a person's. */
    openedHuman: integer("opened_human").notNull().default(0),
    clicked: integer().notNull().default(0),
    clickedHuman: integer("clicked_human").notNull().default(0),
    unsubscribed: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.broadcastId] })],
);

/**
 * The mails of a broadcast that were clicked, by link: the first links alone, and those beyond them
 * under an empty URL. They go with the mails, because URLs may be personal. WITHOUT ROWID.
 */
export const broadcastLinks = sqliteTable(
  "broadcast_links",
  {
    projectId: text("project_id").notNull(),
    broadcastId: text("broadcast_id").notNull(),
    url: text().notNull(),
    /** Mails whose first click was on this link, and those whose first click of a person was. */
    firsts: integer().notNull().default(0),
    firstsHuman: integer("firsts_human").notNull().default(0),
    /** Mails with a click on this link, and those with a click of a person. */
    clicked: integer().notNull().default(0),
    clickedHuman: integer("clicked_human").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.broadcastId, table.url] })],
);

/**
 * The recipients of batches that did not get the mail, in one row for each settle. They go with
 * their batch. WITHOUT ROWID.
 */
export const batchFailures = sqliteTable(
  "batch_failures",
  {
    batchId: text("batch_id").notNull(),
    id: text().notNull(),
    failures: text({ mode: "json" }).$type<BatchFailure[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.id] })],
);
