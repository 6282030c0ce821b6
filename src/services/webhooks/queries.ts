import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { followsId } from "../../db/paging.ts";
import { webhookDeliveries, webhooks } from "../../db/schema/index.ts";
import { spanOf, type ListPage, type Page } from "../../lib/page.ts";

export type WebhookRow = typeof webhooks.$inferSelect;

/** A delivery as lists show it: without its payload. */
export type DeliveryRow = Pick<
  typeof webhookDeliveries.$inferSelect,
  | "id"
  | "eventType"
  | "status"
  | "attempts"
  | "lastStatusCode"
  | "lastError"
  | "dueAt"
  | "deliveredAt"
  | "createdAt"
>;

/** A delivery with the body that its attempts send, and the answer to the last one. */
export type FullDelivery = DeliveryRow &
  Pick<typeof webhookDeliveries.$inferSelect, "payload" | "lastAnswer">;

/** Deliveries removed in one statement; the bound keeps each within D1's time limit. */
const ROWS_PER_STEP = 500;

/** The facts of a new webhook. */
export type NewWebhook = Pick<
  WebhookRow,
  "id" | "projectId" | "url" | "host" | "secretSealed" | "events" | "createdAt"
>;

/** Stores a webhook of an existing project that has fewer than `most`. */
export function insertWebhook(db: Database, webhook: NewWebhook, most: number) {
  const { id, projectId, url, host, secretSealed, events, createdAt } = webhook;
  return db.run(
    sql`insert into webhooks (id, project_id, url, host, secret_sealed, events, active, created_at)
      select ${id}, ${projectId}, ${url}, ${host}, ${secretSealed}, ${JSON.stringify(events)}, 1, ${createdAt}
      where exists (select 1 from projects where id = ${projectId})
        and (select count(*) from webhooks where project_id = ${projectId}) < ${most}`,
  );
}

/** Selects a page of the project's webhooks, newest first. */
export function selectWebhooks(db: Database, projectId: string, { limit, offset }: Page) {
  return db
    .select()
    .from(webhooks)
    .where(eq(webhooks.projectId, projectId))
    .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
    .limit(limit)
    .offset(offset);
}

/** Selects one webhook of the project: at most one row. */
export function selectWebhook(db: Database, projectId: string, id: string) {
  return db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, id), eq(webhooks.projectId, projectId)));
}

/** Returns a condition for a batch: the project has this webhook, and `more` holds for its row. */
export function webhookIs(projectId: string, id: string, more: SQL = sql`true`): SQL {
  return sql`exists (select 1 from webhooks where id = ${id} and project_id = ${projectId} and ${more})`;
}

/** New values of a webhook; what is undefined stays. */
export type WebhookChange = Partial<Pick<WebhookRow, "active" | "url" | "host" | "events">>;

/** Returns the condition that a webhook differs from these values. */
export function differsFrom({ active, url, events }: WebhookChange): SQL {
  const differences = [
    active === undefined ? [] : [sql`active <> ${active ? 1 : 0}`],
    url === undefined ? [] : [sql`url <> ${url}`],
    events === undefined ? [] : [sql`events <> ${JSON.stringify(events)}`],
  ].flat();
  return sql`(${sql.join(differences, sql` or `)})`;
}

/** Changes a webhook that differs; the count of its failures starts again. */
export function updateWebhook(db: Database, projectId: string, id: string, change: WebhookChange) {
  return db
    .update(webhooks)
    .set({ ...change, failures: 0, failingSince: null })
    .where(and(eq(webhooks.id, id), eq(webhooks.projectId, projectId), differsFrom(change)));
}

/** Removes a webhook and records that its history must follow; returns its id if it existed. */
export function deleteWebhookRow(db: Database, projectId: string, id: string, now: number) {
  return [
    db.run(
      sql`insert into webhook_purges (webhook_id, created_at)
        select id, ${now} from webhooks where id = ${id} and project_id = ${projectId}`,
    ),
    db
      .delete(webhooks)
      .where(and(eq(webhooks.id, id), eq(webhooks.projectId, projectId)))
      .returning({ id: webhooks.id }),
  ] as const;
}

/**
 * Returns one bounded step that removes the history of a deleted webhook, and of no other one. A
 * row comes back at the end.
 */
export function purgeStep(db: Database, webhookId: string) {
  return [
    db.run(
      sql`delete from webhook_deliveries where webhook_id = ${webhookId} and id in (
        select d.id from webhook_purges p cross join webhook_deliveries d on d.webhook_id = p.webhook_id
        where p.webhook_id = ${webhookId} limit ${ROWS_PER_STEP})`,
    ),
    db.all<{ webhookId: string }>(
      sql`delete from webhook_purges where webhook_id = ${webhookId}
        and not exists (select 1 from webhook_deliveries where webhook_id = ${webhookId})
        returning webhook_id as "webhookId"`,
    ),
  ] as const;
}

/** Selects webhooks whose history the sweep is removing, the oldest first. */
export function selectPurges(db: Database, limit: number) {
  return db.all<{ webhookId: string }>(
    sql`select webhook_id as "webhookId" from webhook_purges order by created_at limit ${limit}`,
  );
}

const SHOWN = {
  id: webhookDeliveries.id,
  eventType: webhookDeliveries.eventType,
  status: webhookDeliveries.status,
  attempts: webhookDeliveries.attempts,
  lastStatusCode: webhookDeliveries.lastStatusCode,
  lastError: webhookDeliveries.lastError,
  dueAt: webhookDeliveries.dueAt,
  deliveredAt: webhookDeliveries.deliveredAt,
  createdAt: webhookDeliveries.createdAt,
};
const FULL = {
  ...SHOWN,
  payload: webhookDeliveries.payload,
  lastAnswer: webhookDeliveries.lastAnswer,
};

/**
 * Selects a page of a webhook's history, newest first: a walk of the primary key. The caller has
 * made sure that the webhook is the project's.
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

/** Selects the same page with payloads and answers. */
export function selectFullDeliveries(db: Database, webhookId: string, page: ListPage<string>) {
  const { limit, offset } = spanOf(page);
  return db
    .select(FULL)
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), followsId(page)))
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit)
    .offset(offset);
}

/** Counts a webhook's deliveries by their primary key; LOG_RETENTION_DAYS bounds them. */
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
    .where(deliveryIs(projectId, webhookId, id));
}

/** Selects the same with its payload and answer. */
export function selectFullDelivery(db: Database, projectId: string, webhookId: string, id: string) {
  return db
    .select(FULL)
    .from(webhookDeliveries)
    .where(deliveryIs(projectId, webhookId, id));
}

const deliveryIs = (projectId: string, webhookId: string, id: string) =>
  and(
    eq(webhookDeliveries.webhookId, webhookId),
    eq(webhookDeliveries.id, id),
    eq(webhookDeliveries.projectId, projectId),
  );

/** One event for one webhook. */
export interface NewDelivery {
  id: string;
  eventId: string;
  eventType: string;
  /** The body that each attempt sends. */
  payload: string;
  /** Milliseconds. */
  createdAt: number;
}

/**
 * Adds an event to the history of one webhook of the project, due now, if that webhook is active.
 */
export function insertDelivery(
  db: Database,
  projectId: string,
  webhookId: string,
  { id, eventId, eventType, payload, createdAt }: NewDelivery,
) {
  return db.run(
    sql`insert into webhook_deliveries (webhook_id, id, project_id, event_id, event_type, payload, status, due_at, created_at)
      select ${webhookId}, ${id}, ${projectId}, ${eventId}, ${eventType}, ${payload}, 'pending', ${createdAt}, ${createdAt}
      where ${webhookIs(projectId, webhookId, sql`active`)}`,
  );
}

/** Copies an event into a new delivery if the webhook is active. */
export function copyDelivery(
  db: Database,
  projectId: string,
  webhookId: string,
  sourceId: string,
  copy: { id: string; createdAt: number },
) {
  return db.run(
    sql`insert into webhook_deliveries (webhook_id, id, project_id, event_id, event_type, payload, status, due_at, created_at)
      select webhook_id, ${copy.id}, project_id, event_id, event_type, payload, 'pending', ${copy.createdAt}, ${copy.createdAt}
      from webhook_deliveries where webhook_id = ${webhookId} and id = ${sourceId} and project_id = ${projectId}
        and ${webhookIs(projectId, webhookId, sql`active`)}`,
  );
}

/**
 * Removes up to `limit` finished deliveries with ids below `beforeId`, of webhooks from `fromId`
 * on; returns one row for each, in no order.
 */
export function deleteOldDeliveries(db: Database, fromId: string, beforeId: string, limit: number) {
  return db.all<{ webhookId: string }>(
    sql`delete from webhook_deliveries where (webhook_id, id) in (
        select d.webhook_id, d.id from webhooks w cross join webhook_deliveries d on d.webhook_id = w.id
        where w.id >= ${fromId} and d.id < ${beforeId} and d.due_at is null order by w.id limit ${limit})
      returning webhook_id as "webhookId"`,
  );
}
