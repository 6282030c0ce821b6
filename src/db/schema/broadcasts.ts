import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TrackingSwitches } from "../../lib/tracking-switches.ts";
import type { Message } from "../../messages/message.ts";
import { SUBSCRIBER_STATUSES } from "./audience.ts";
import type {
  BatchFailure,
  BroadcastPlan,
  Deferred,
  VariantOutcome,
  WaitingFor,
} from "./broadcast-plans.ts";
import { timestamp } from "./columns.ts";

export const BROADCAST_KINDS = ["broadcast", "batch", "draft", "automation"] as const;

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
 * A broadcast with its content frozen at the start: later template changes do not affect it. A
 * batch is a broadcast whose recipients are stored in its chunks; its content is deleted when it
 * finishes. A draft becomes a broadcast when it starts to send. The mails of a step of an automation
 * are a broadcast that never ends, whose chunks list their recipients.
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
    /** … and with this `metadata.source`, if not null. */
    source: text(),
    state: text({ enum: BROADCAST_STATES }).notNull(),
    /** Key from which log ids derive: one unguessable log id per subscriber and broadcast. */
    logKey: text("log_key").notNull(),
    /**
     * Last subscriber id of the audience; subscribers who join after the start have greater ids.
     */
    cutoffId: text("cutoff_id").notNull(),
    /** Last subscriber id in a planned chunk; planning is complete when it reaches `cutoffId`. */
    plannedId: text("planned_id").notNull(),
    /** When the sweep resumes planning, or starts a scheduled draft; when a batch is due. */
    planDueAt: timestamp().notNull(),
    /** Totals of the finished chunks. */
    sent: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    bounced: integer().notNull().default(0),
    suppressed: integer().notNull().default(0),
    /** Why the service paused the broadcast, if it did. */
    reasons: text({ mode: "json" }).$type<Message[]>(),
    createdAt: timestamp().notNull(),
    finishedAt: timestamp(),
    /** Recipients who complained since the start or the last resumption. */
    complaints: integer().notNull().default(0),
    /** When a worker last started a turn; projects take turns. */
    turnAt: timestamp().notNull().default(0),
    kind: text({ enum: BROADCAST_KINDS }).notNull().default("broadcast"),
    /** Audience size at the start; null before it, and for a batch. */
    total: integer(),
    /** How many of `failed` have an unknown outcome. */
    unknown: integer().notNull().default(0),
    /** When the service checks the canary; 0 without a canary, or after the check. */
    canaryDueAt: timestamp().notNull().default(0),
    /** Complaints from before the last resumption. */
    earlierComplaints: integer("earlier_complaints").notNull().default(0),
    /** Name given by its authors; empty if it was never a draft. */
    name: text().notNull().default(""),
    /** Topic whose subscribers receive it, if any. */
    topicId: text("topic_id"),
    /** Condition on the audience, frozen at the start; null for everyone. */
    audienceWhere: text(),
    /** Reference time of the relative spans in the condition. */
    whereAt: timestamp().notNull().default(0),
    /** Exclusive lower bound of the audience's ids. */
    fromId: text("from_id").notNull().default(""),
    /** Values of `{{broadcast.…}}`. */
    variables: text({ mode: "json" }).$type<Record<string, unknown>>(),
    /** Null if it was never a draft. */
    plan: text({ mode: "json" }).$type<BroadcastPlan>(),
    sendAt: timestamp(),
    /** Maximum mails per hour. */
    perHour: integer("per_hour"),
    /** When the draft was created; `created_at` is the start of the broadcast. */
    draftedAt: timestamp(),
    /** Version of a draft, which increases with each change. */
    updatedAt: timestamp().notNull().default(0),
    /** When the winner of an A/B test is chosen; 0 without an A/B test, or after the choice. */
    decidesAt: timestamp().notNull().default(0),
    /** The winning variant. */
    winner: integer(),
    /** Outcomes of the variants when the winner was chosen. */
    variantOutcomes: text({ mode: "json" }).$type<VariantOutcome[]>(),
    /** The broadcast it waits for while queued or due to start. */
    waitingFor: text("waiting_for", { mode: "json" }).$type<WaitingFor>(),
    /** Number of resumptions. Findings from before the last one no longer pause it. */
    resumptions: integer().notNull().default(0),
    /** 1 for a batch of a test key, which no server gets, else null. */
    test: integer(),
    /** The preheader of its template, or of a batch; the preview text of a draft precedes it. */
    preheader: text().notNull().default(""),
    /** The switches of its template, under those of its plan; of a batch, also its own. */
    tracking: text({ mode: "json" }).$type<TrackingSwitches>().notNull().default({}),
    /** The From of a batch that has its own; null for that of the project. */
    fromName: text("from_name"),
    fromAddress: text("from_address"),
    /** Whether the archive of its topic shows it; null for the rule (broadcasts/archive). */
    inArchive: integer({ mode: "boolean" }),
    /** The automation, its version and the step whose mails it is; null for all other kinds. */
    automationId: text("automation_id"),
    automationVersion: integer("automation_version"),
    stepId: text("step_id"),
  },
  (table) => [
    index("broadcasts_of_automations")
      .on(table.automationId, table.automationVersion)
      .where(sql`automation_id is not null`),
    index("broadcasts_by_project").on(table.projectId, table.kind, table.id),
    // What a sender looks at, and the minute sweep.
    index("broadcasts_by_state").on(table.state, table.projectId, table.planDueAt),
    // The minute sweep, without the mails of automations, which are sent forever.
    index("broadcasts_being_sent")
      .on(table.state)
      .where(sql`state = 'sending' and (kind <> 'automation' or complaints > 0)`),
    index("broadcasts_of_topics") // the archive
      .on(table.projectId, table.createdAt)
      .where(sql`kind = 'broadcast' and state = 'done' and topic_id is not null`),
  ],
);

export const CHUNK_STATES = ["pending", "claimed"] as const;

/**
 * A chunk of a broadcast's subscriber ids or of a batch's recipients: recorded with the
 * outcomes of its mails. A finished chunk is deleted, and its counts are added to the broadcast. WITHOUT
 * ROWID.
 */
export const broadcastChunks = sqliteTable(
  "broadcast_chunks",
  {
    broadcastId: text("broadcast_id").notNull(),
    /** Exclusive lower bound of the ids … */
    afterId: text("after_id").notNull(),
    /** … and inclusive upper bound. */
    untilId: text("until_id").notNull(),
    /** Last claimed recipient id. */
    cursorId: text("cursor_id").notNull(),
    state: text({ enum: CHUNK_STATES }).notNull(),
    /** 0 for the first attempt, plus one per backoff. */
    attempt: integer().notNull().default(0),
    /** When it is due, while pending. */
    dueAt: timestamp().notNull(),
    /** The run of the sender that holds it. */
    leaseToken: text("lease_token").notNull(),
    /** Ids of recipients whose mail was on its way when the sender last recorded outcomes. */
    inFlight: text("in_flight", { mode: "json" }).$type<string[]>().notNull(),
    /** Subscribers to retry in this attempt before the chunk continues from its cursor. */
    again: text({ mode: "json" }).$type<Deferred[]>().notNull(),
    /** Subscribers deferred in this attempt. */
    deferred: text({ mode: "json" }).$type<Deferred[]>().notNull(),
    sent: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    bounced: integer().notNull().default(0),
    suppressed: integer().notNull().default(0),
    /** The recipients of a batch, packed (mailing/sources/batch/pack-recipients.ts). */
    recipients: text(),
    /** How many of `failed` have an unknown outcome. */
    unknown: integer().notNull().default(0),
    /** The variant that an A/B test sends to this chunk; null outside an A/B test. */
    variant: integer(),
    /** The last entry of the sender's journal whose outcomes are recorded. */
    recorded: integer().notNull().default(0),
    /** Ids in the range that a canary lists; null without a canary. */
    leftOut: text("left_out", { mode: "json" }).$type<string[]>(),
    /** When the limits of the broadcast or its server allow its next mail; 0 if they do not hold it. */
    heldUntil: timestamp().notNull().default(0),
    /**
     * The page of runs of an automation that it carries, from which their log ids derive; "" for
     * all others.
     */
    page: text().notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.broadcastId, table.afterId] }),
    index("broadcast_chunks_by_due").on(table.state, table.dueAt), // the minute sweep
  ],
);

/**
 * Content of a variant, frozen at the start of its broadcast. Rows are large, so the table keeps
 * its rowids.
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
    preheader: text().notNull().default(""),
    tracking: text({ mode: "json" }).$type<TrackingSwitches>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.broadcastId, table.n] })],
);

/**
 * Failed recipients of batches, one row per recorded group, deleted with the batch. WITHOUT ROWID.
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
