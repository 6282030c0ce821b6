import type { Ctx } from "../../context.ts";
import { runBatch, type Statement } from "../../db/client.ts";
import { conflict, notFound } from "../../errors.ts";
import type { Page } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import type { EventType } from "./emit-events.ts";
import {
  copyDelivery,
  countDeliveries,
  insertDelivery,
  selectDeliveries,
  selectDelivery,
  selectWebhook,
  type DeliveryRow,
} from "./queries.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";
import { firstWebhook } from "./webhooks.ts";

/**
 * Returns a page of a webhook's deliveries, newest first, and their total number. Throws not_found.
 */
export async function listDeliveries(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
  page: Page,
): Promise<{ deliveries: DeliveryRow[]; total: number }> {
  const { db } = ctx.deps;
  const [webhooks, deliveries, totals] = await runBatch(db, [
    selectWebhook(db, project.id, webhookId),
    selectDeliveries(db, webhookId, page),
    countDeliveries(db, webhookId),
  ]);
  firstWebhook(webhooks);
  const [{ total } = { total: 0 }] = totals;
  return { deliveries, total };
}

/**
 * Sends a `webhook.test` event to this webhook alone, whatever events it takes; returns its
 * delivery. The route checks `webhooks:write`. Throws not_found, and conflict when the webhook is
 * paused.
 */
export async function testWebhook(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
): Promise<DeliveryRow> {
  const { db, newId, now } = ctx.deps;
  const createdAt = now();
  const [id, eventId] = [newId(), newId()];
  const eventType: EventType = "webhook.test";
  const payload = JSON.stringify({
    id: eventId,
    type: eventType,
    created_at: new Date(createdAt).toISOString(),
    project_id: project.id,
    data: { webhook_id: webhookId },
  });
  const delivery = { id, eventId, eventType, payload, createdAt };
  return addDelivery(ctx, project, webhookId, id, {
    insert: insertDelivery(db, project.id, webhookId, delivery),
  });
}

/**
 * Sends the event of an earlier delivery again: a new delivery with the same event id and the same
 * payload, byte for byte. The route checks `webhooks:write`. Throws not_found for webhook and
 * delivery, and conflict when the webhook is paused.
 */
export async function replayDelivery(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  const { db, newId, now } = ctx.deps;
  const copy = { id: newId(), createdAt: now() };
  return addDelivery(ctx, project, webhookId, copy.id, {
    sources: [selectDelivery(db, project.id, webhookId, deliveryId)],
    insert: copyDelivery(db, project.id, webhookId, deliveryId, copy),
  });
}

type Source = ReturnType<typeof selectDelivery>;

/**
 * Writes a delivery and wakes the dispatcher. Throws not_found when the named source does not
 * exist.
 */
async function addDelivery(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
  id: string,
  { sources = [], insert }: { sources?: Source[]; insert: Statement },
): Promise<DeliveryRow> {
  const { deps } = ctx;
  const [webhooks, , [delivery], ...found] = await runBatch(deps.db, [
    selectWebhook(deps.db, project.id, webhookId),
    insert,
    selectDelivery(deps.db, project.id, webhookId, id),
    ...sources,
  ]);
  const webhook = firstWebhook(webhooks);
  if (found.some((rows) => rows.length === 0)) throw notFound("delivery");
  if (!webhook.active || !delivery)
    throw conflict("the webhook is paused: set active to true first");
  deps.waitUntil(wakeWebhooks(deps, [webhookId]));
  return delivery;
}
