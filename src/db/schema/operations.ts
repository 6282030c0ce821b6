import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";
import type { LOG_STATUSES } from "./log.ts";

export const OPERATION_KINDS = ["send", "batch"] as const;
export const OPERATION_STATES = ["running", "interrupted", "done"] as const;

/** The outcome of a mail that waits to be logged with others. */
export interface NotedOutcome {
  status: (typeof LOG_STATUSES)[number];
  /** Set if it is that of the fallback server. */
  viaFallback?: true;
  error: string | null;
  /** The reason of a refusal (API reference §11.7). */
  reason?: string;
}

/** A mail claimed for SMTP, with no outcome in the log yet. */
export interface InFlight {
  logId: string;
  toEmail: string;
  subject: string;
  templateId: string | null;
  subscriberId: string | null;
  /** Set for a mail with an outcome that is neither logged nor counted yet. */
  outcome?: NotedOutcome;
}

/** A recipient of a batch whose mail failed, with the reason. */
export interface BatchFailure {
  /** Its place in the list of recipients; a batch of an earlier version has none. */
  index?: number | null;
  to: string;
  status: "failed" | "bounced" | "suppressed";
  error: string;
}

/**
 * Sends in progress that must survive a crash: batches, and sends with an Idempotency-Key. A worker
 * writes `inFlight` before it starts SMTP, and the settle clears it. Whatever a dead worker leaves
 * in it is never sent again; without a noted outcome it is logged as "outcome unknown".
 */
export const sendOperations = sqliteTable(
  "send_operations",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    kind: text({ enum: OPERATION_KINDS }).notNull(),
    idempotencyKey: text("idempotency_key"),
    requestHash: text("request_hash").notNull(),
    state: text({ enum: OPERATION_STATES }).notNull(),
    leaseToken: text("lease_token").notNull(),
    leaseUntil: timestamp().notNull(),
    /** Index of the first recipient of a batch that no worker has claimed. */
    nextIndex: integer("next_index").notNull().default(0),
    sent: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    bounced: integer().notNull().default(0),
    suppressed: integer().notNull().default(0),
    inFlight: text("in_flight", { mode: "json" }).$type<InFlight[]>().notNull(),
    /** The first response, repeated for a repeated request; null until there is one. */
    result: text({ mode: "json" }).$type<Record<string, unknown>>(),
    createdAt: timestamp().notNull(),
    /** The first failed recipients of a running batch; null while there are none. */
    failures: text({ mode: "json" }).$type<BatchFailure[]>(),
  },
  (table) => [
    uniqueIndex("send_operations_by_key")
      .on(table.projectId, table.idempotencyKey)
      .where(sql`idempotency_key is not null`),
    index("send_operations_by_lease").on(table.state, table.leaseUntil), // the minute sweep
    index("send_operations_by_age").on(table.createdAt), // nightly removal
  ],
);
