import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { followsId } from "../../db/paging.ts";
import { webhookDeliveries } from "../../db/schema/index.ts";
import { spanOf, type ListPage } from "../../lib/page.ts";
import { deliveryBytes } from "../storage/index.ts";
import { webhookIs } from "./queries.ts";

const SHOWN = {
  id: webhookDeliveries.id,
  eventType: webhookDeliveries.eventType,
  status: webhookDeliveries.status,
  /** Those that have ended: a claim counts its own at once. */
  attempts: sql<number>`attempts - (status = 'inflight')`,
  lastStatusCode: webhookDeliveries.lastStatusCode,
  lastError: webhookDeliveries.lastError,
  dueAt: webhookDeliveries.dueAt,
  deliveredAt: webhookDeliveries.deliveredAt,
  createdAt: webhookDeliveries.createdAt,
  payload: webhookDeliveries.payload,
  lastAnswer: webhookDeliveries.lastAnswer,
};

/** A delivery with the body that its attempts send, and the response to the last one. */
export type FullDelivery = Pick<typeof webhookDeliveries.$inferSelect, keyof typeof SHOWN>;

/** A delivery as lists show it. */
export type DeliveryRow = Omit<FullDelivery, "payload" | "lastAnswer">;

/**
 * Selects a page of a webhook's history, newest first, by a scan of the primary key. The caller has
 * checked that the webhook belongs to the project.
 */
export function selectDeliveries(db: Database, webhookId: string, page: ListPage<string>) {
  const { limit, offset } = spanOf(page);
  return db
    .select(SHOWN)
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), followsId(page)))
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit)
    .offset(offset);
}

/** Counts a webhook's deliveries by primary key. LOG_RETENTION_DAYS limits their number. */
export function countDeliveries(db: Database, webhookId: string) {
  return db.all<{ total: number }>(
    sql`select count(*) as total from webhook_deliveries where webhook_id = ${webhookId}`,
  );
}

/** Selects one delivery of a webhook of the project: at most one row. */
export function selectDelivery(db: Database, projectId: string, webhookId: string, id: string) {
  return db
    .select(SHOWN)
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        eq(webhookDeliveries.id, id),
        eq(webhookDeliveries.projectId, projectId),
      ),
    );
}

export interface Written {
  webhookId: string;
  projectId: string;
  bytes: number;
}

/** The `returning` clause of statements that write deliveries. */
export const RETURNING_WRITTEN = sql`returning webhook_id as "webhookId", project_id as "projectId",
  ${deliveryBytes()} as bytes`;

/**
 * Adds an event to the history of one webhook of the project, due at once, if that webhook is
 * active. `event` selects its `event_id`, `event_type` and `payload`, the body that each attempt
 * sends.
 */
export function insertDelivery(
  db: Database,
  { projectId, webhookId }: Pick<Written, "projectId" | "webhookId">,
  { id, createdAt }: { id: string; createdAt: number },
  event: SQL,
) {
  return db.all<Written>(
    sql`insert into webhook_deliveries (webhook_id, id, project_id, event_id, event_type, payload, status, due_at, created_at)
      select ${webhookId}, ${id}, ${projectId}, event_id, event_type, payload, 'pending', ${createdAt}, ${createdAt}
      from (${event}) where ${webhookIs(projectId, webhookId, sql`active`)} ${RETURNING_WRITTEN}`,
  );
}

/**
 * Deletes up to `limit` finished deliveries with ids below `beforeId`, of webhooks from `fromId`
 * on. Returns one row for each, in no particular order.
 */
export function deleteOldDeliveries(db: Database, fromId: string, beforeId: string, limit: number) {
  return db.all<{ webhookId: string }>(
    sql`delete from webhook_deliveries where (webhook_id, id) in (
        select d.webhook_id, d.id from webhooks w cross join webhook_deliveries d on d.webhook_id = w.id
        where w.id >= ${fromId} and d.id < ${beforeId} and d.due_at is null order by w.id limit ${limit})
      returning webhook_id as "webhookId"`,
  );
}
