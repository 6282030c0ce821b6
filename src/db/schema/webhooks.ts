import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
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
    events: text({ mode: "json" }).$type<string[]>().notNull(),
    active: integer({ mode: "boolean" }).notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index("webhooks_by_project").on(table.projectId, table.createdAt)],
);

/** One event for one endpoint. Partial indexes: a delivery that is over costs the sweep nothing. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    webhookId: text("webhook_id").notNull(),
    projectId: text("project_id").notNull(),
    eventId: text("event_id").notNull(),
    eventType: text("event_type").notNull(),
    payload: text().notNull(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    attempts: integer().notNull().default(0),
    lastStatusCode: integer("last_status_code"),
    lastError: text("last_error"),
    nextAttemptAt: timestamp(),
    leaseUntil: timestamp(),
    deliveredAt: timestamp(),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    index("webhook_deliveries_by_webhook").on(table.webhookId, table.id), // history, newest first
    index("webhook_deliveries_due")
      .on(table.nextAttemptAt)
      .where(sql`status = 'pending'`),
    index("webhook_deliveries_leased")
      .on(table.leaseUntil)
      .where(sql`status = 'inflight'`),
  ],
);
