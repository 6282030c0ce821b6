import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  copyDelivery,
  insertDelivery,
  selectDelivery,
  type FullDelivery,
} from "./delivery-queries.ts";
import { waking, type EventType } from "./emit-events.ts";
import { selectWebhook } from "./queries.ts";
import { firstWebhook } from "./webhooks.ts";

/**
 * Sends a `webhook.test` event to this webhook only, regardless of its subscribed events. Returns
 * its delivery. The route checks `webhooks:write`. Throws not_found, and 409 if the webhook is
 * paused.
 */
export async function testWebhook(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
): Promise<FullDelivery> {
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
  const insert = insertDelivery(db, project.id, webhookId, delivery);
  return addDelivery(ctx, project, webhookId, id, insert);
}

/**
 * Sends the event of an earlier delivery again, as a new delivery with the same event id and the
 * stored payload. The route checks `webhooks:write`. Throws not_found for webhook and delivery, and
 * 409 if the webhook is paused.
 */
export async function replayDelivery(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
  deliveryId: string,
): Promise<FullDelivery> {
  const { db, newId, now } = ctx.deps;
  const copy = { id: newId(), createdAt: now() };
  const insert = copyDelivery(db, project.id, webhookId, deliveryId, copy);
  return addDelivery(ctx, project, webhookId, copy.id, insert, deliveryId);
}

/** Writes a delivery and wakes the dispatcher. Throws not_found if there is no `sourceId`. */
async function addDelivery(
  { deps }: Ctx,
  project: ProjectRow,
  webhookId: string,
  id: string,
  insert: ReturnType<typeof insertDelivery>,
  sourceId = id,
): Promise<FullDelivery> {
  const [webhooks, sources, , [delivery]] = await runBatch(deps.db, [
    selectWebhook(deps.db, project.id, webhookId),
    selectDelivery(deps.db, project.id, webhookId, sourceId),
    waking(deps, insert),
    selectDelivery(deps.db, project.id, webhookId, id),
  ]);
  const webhook = firstWebhook(webhooks);
  if (sourceId !== id && sources.length === 0) throw notFound("delivery");
  if (!webhook.active || !delivery) throw refusal("webhook_paused", {});
  return delivery;
}
