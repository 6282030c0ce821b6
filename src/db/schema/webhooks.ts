import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Whose payload and headers a webhook gets: ours, or those of Resend. */
export const WEBHOOK_FORMATS = ["postrider", "resend"] as const;

export const DELIVERY_STATUSES = ["pending", "inflight", "delivered", "failed"] as const;

/** Beginning of an endpoint's response (services/webhooks/read-answer.ts). */
interface StoredAnswer {
  body: string;
  /** False if the body was longer or was cut off. */
  isComplete: boolean;
}

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    url: text().notNull(),
    /** Sealed with the context `webhook:<id>:secret`. */
    secretSealed: text("secret_sealed").notNull(),
    /** Subscribed event types; an empty list means all. */
    events: text({ mode: "json" }).$type<string[]>().notNull(),
    active: integer({ mode: "boolean" }).notNull(),
    createdAt: timestamp().notNull(),
    /** Host and port of the URL. All attempts to one host share a concurrency limit. */
    host: text().notNull().default(""),
    /** Lease token and expiry of the worker that holds this webhook; "" and 0 if none does. */
    leaseToken: text("lease_token").notNull().default(""),
    leaseUntil: integer({ mode: "number" }).notNull().default(0),
    /**
     * Deliveries whose first attempt failed since the last success, and when the first of them
     * failed.
     */
    failures: integer().notNull().default(0),
    failingSince: timestamp(),
    /** Concurrent attempts of the worker. All leases of one host together have at most ten. */
    leaseSlots: integer("lease_slots").notNull().default(0),
    format: text({ enum: WEBHOOK_FORMATS }).notNull().default("postrider"),
  },
  (table) => [
    index("webhooks_by_project").on(table.projectId, table.createdAt),
    index("webhooks_by_host").on(table.host, table.leaseUntil), // leases of a host, to sum their slots
  ],
);

/**
 * One event for one endpoint. Ids are chronological. WITHOUT ROWID, so that the primary key is an
 * endpoint's history. A finished delivery has no `due_at`, so dispatcher and sweep skip it at no
 * cost.
 */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    webhookId: text("webhook_id").notNull(),
    id: text().notNull(),
    projectId: text("project_id").notNull(),
    eventId: text("event_id").notNull(),
    eventType: text("event_type").notNull(),
    payload: text().notNull(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    attempts: integer().notNull().default(0),
    lastStatusCode: integer("last_status_code"),
    lastError: text("last_error"),
    /** Time of the next attempt (pending), or lease expiry (inflight). */
    dueAt: timestamp(),
    deliveredAt: timestamp(),
    createdAt: timestamp().notNull(),
    /** Response to the last attempt; null if there was none. */
    lastAnswer: text("last_answer", { mode: "json" }).$type<StoredAnswer>(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.id] }),
    index("webhook_deliveries_due")
      .on(table.webhookId, table.dueAt)
      .where(sql`due_at is not null`),
  ],
);

/** Deleted webhooks whose history is still being removed in bounded batches. */
export const webhookPurges = sqliteTable("webhook_purges", {
  webhookId: text("webhook_id").primaryKey(),
  createdAt: timestamp().notNull(),
});
