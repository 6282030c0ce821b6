import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

export const DELIVERY_STATUSES = ["pending", "inflight", "delivered", "failed"] as const;

/** The start of an endpoint's answer (services/webhooks/read-answer.ts). */
interface StoredAnswer {
  body: string;
  /** False if the body was longer or broke off. */
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
    /** Host and port of the URL; all attempts to one host share a limit. */
    host: text().notNull().default(""),
    /** The worker that holds this webhook, and the end of its lease; "" and 0 when none does. */
    leaseToken: text("lease_token").notNull().default(""),
    leaseUntil: integer({ mode: "number" }).notNull().default(0),
    /**
     * Deliveries with a failed first attempt since the last success, and the time of the first of
     * them.
     */
    failures: integer().notNull().default(0),
    failingSince: timestamp(),
    /** Concurrent attempts of its worker; all leases of one host together have at most ten. */
    leaseSlots: integer("lease_slots").notNull().default(0),
  },
  (table) => [
    index("webhooks_by_project").on(table.projectId, table.createdAt),
    index("webhooks_by_host").on(table.host, table.leaseUntil), // leases of a host, for their slots
  ],
);

/**
 * One event for one endpoint; ids are in order of time. WITHOUT ROWID, so that an endpoint's
 * history is its primary key. A finished delivery has no `due_at` and costs neither dispatcher nor
 * sweep anything.
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
    /** Time of the next attempt (pending), or of the end of the worker's hold (inflight). */
    dueAt: timestamp(),
    deliveredAt: timestamp(),
    createdAt: timestamp().notNull(),
    /** The answer to the last attempt; null without one. */
    lastAnswer: text("last_answer", { mode: "json" }).$type<StoredAnswer>(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.id] }),
    index("webhook_deliveries_due")
      .on(table.webhookId, table.dueAt)
      .where(sql`due_at is not null`),
    // Replays of clicks, for the removal of IP addresses.
    index("webhook_deliveries_replayed")
      .on(table.webhookId, table.eventId)
      .where(sql`event_type = 'email.clicked' and substr(id, 1, 24) <> substr(event_id, 1, 24)`),
  ],
);

/** Deleted webhooks whose history is still being removed, a bounded number of rows at a time. */
export const webhookPurges = sqliteTable("webhook_purges", {
  webhookId: text("webhook_id").primaryKey(),
  createdAt: timestamp().notNull(),
});
