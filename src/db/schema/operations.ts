import { sql } from "drizzle-orm";
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

export const OPERATION_KINDS = ["send", "batch"] as const;
export const OPERATION_STATES = ["running", "done"] as const;

/** A mail claimed for SMTP with no outcome in the log yet. */
export interface InFlight {
  logId: string;
  toEmail: string;
  subject: string;
  templateId: string | null;
  subscriberId: string | null;
  isTest?: true;
}

/**
 * Sends and batches with an Idempotency-Key. A worker writes the mail of a send to `inFlight`
 * before it starts SMTP, and clears it with the outcome. Mail that a dead worker leaves there is
 * never sent again; it is logged as "outcome unknown". The operation of a batch is `done` from the
 * start, because the batch with its id holds the rest.
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
    inFlight: text("in_flight", { mode: "json" }).$type<InFlight[]>().notNull(),
    /** The first response, replayed for repeated requests; null until there is one. */
    result: text({ mode: "json" }).$type<Record<string, unknown>>(),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex("send_operations_by_key")
      .on(table.projectId, table.idempotencyKey)
      .where(sql`idempotency_key is not null`),
    index("send_operations_by_lease").on(table.state, table.leaseUntil), // the minute sweep
    index("send_operations_by_age").on(table.createdAt), // nightly cleanup
  ],
);
