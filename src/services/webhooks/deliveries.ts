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

/** A page of a webhook's deliveries, newest first, and how many there are in all. Throws not_found. */
export async function listDeliveries(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
  page: Page,
): Promise<{ deliveries: DeliveryRow[]; total: number }> {
  const { db } = ctx.app;
  const [webhooks, deliveries, totals] = await runBatch(db, [
    selectWebhook(db, project.id, webhookId),
    selectDeliveries(db, webhookId, page),
    countDeliveries(db, webhookId),
  ]);
  firstWebhook(webhooks);
  const [{ total } = { total: 0 }] = totals as { total: number }[];
  return { deliveries: deliveries as DeliveryRow[], total };
}

/**
 * Sends a `webhook.test` event to this webhook alone, whatever events it takes; returns its delivery.
 * Authorised by the route (`webhooks:write`). Throws not_found, and conflict when the webhook is paused.
 */
export async function testWebhook(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
): Promise<DeliveryRow> {
  const { db, newId, now } = ctx.app;
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
  return addDelivery(ctx, project, webhookId, id, [
    insertDelivery(db, project.id, webhookId, delivery),
  ]);
}

/**
 * Sends the event of an earlier delivery once more: a new delivery with the same event id and the same
 * payload, byte for byte. Authorised by the route (`webhooks:write`).
 * Throws not_found for webhook and delivery, and conflict when the webhook is paused.
 */
export async function replayDelivery(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  const { db, newId, now } = ctx.app;
  const copy = { id: newId(), createdAt: now() };
  return addDelivery(ctx, project, webhookId, copy.id, [
    selectDelivery(db, project.id, webhookId, deliveryId),
    copyDelivery(db, project.id, webhookId, deliveryId, copy),
  ]);
}

/** Runs statements whose last writes a delivery, tells why it did not if so, and wakes the dispatcher. */
async function addDelivery(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
  id: string,
  statements: Statement[],
): Promise<DeliveryRow> {
  const { app } = ctx;
  const results = await runBatch(app.db, [
    selectWebhook(app.db, project.id, webhookId),
    ...statements,
    selectDelivery(app.db, project.id, webhookId, id),
  ]);
  const webhook = firstWebhook(results[0]);
  const sources = results.slice(1, statements.length) as DeliveryRow[][];
  if (sources.some((rows) => rows.length === 0)) throw notFound("delivery");
  const [delivery] = results.at(-1) as DeliveryRow[];
  if (!webhook.active || !delivery)
    throw conflict("the webhook is paused: set active to true first");
  app.waitUntil(wakeWebhooks(app, [webhookId]));
  return delivery;
}
