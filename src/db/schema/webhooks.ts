import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

export const DELIVERY_STATUSES = ["pending", "inflight", "delivered", "failed"] as const;

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    url: text().notNull(),
    /** Sealed with the context `webhook:<id>:secret`. */
    secretSealed: text("secret_sealed").notNull(),
    /** Event types it takes; empty takes all. */
    events: text({ mode: "json" }).$type<string[]>().notNull(),
    active: integer({ mode: "boolean" }).notNull(),
    createdAt: timestamp().notNull(),
    /** Host and port of the URL: attempts to one host are limited together. */
    host: text().notNull().default(""),
    /** The worker that has its deliveries in hand, and until when; "" and 0 when none has. */
    leaseToken: text("lease_token").notNull().default(""),
    leaseUntil: integer({ mode: "number" }).notNull().default(0),
    /** Deliveries whose first attempt failed since the last one that arrived, and when the first of them did. */
    failures: integer().notNull().default(0),
    failingSince: timestamp(),
    /** Attempts its worker may make at a time; of the leases of one host together at most ten. */
    leaseSlots: integer("lease_slots").notNull().default(0),
  },
  (table) => [
    index("webhooks_by_project").on(table.projectId, table.createdAt),
    index("webhooks_by_host").on(table.host, table.leaseUntil), // leases of a host, for their slots
  ],
);

/**
 * One event for one endpoint; ids are in the order of time. WITHOUT ROWID, so that the history of an
 * endpoint is its primary key. What is over has no `due_at` and costs neither dispatcher nor sweep anything.
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
    /** When it is to be attempted (pending), or given up by the worker that has it (inflight). */
    dueAt: timestamp(),
    deliveredAt: timestamp(),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.id] }),
    index("webhook_deliveries_due")
      .on(table.webhookId, table.dueAt)
      .where(sql`due_at is not null`),
  ],
);

/** Deleted webhooks whose history is still being removed, a bounded number of rows at a time. */
export const webhookPurges = sqliteTable("webhook_purges", {
  webhookId: text("webhook_id").primaryKey(),
  createdAt: timestamp().notNull(),
});
