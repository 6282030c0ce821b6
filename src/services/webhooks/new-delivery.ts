import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { insertDelivery, selectDelivery, type FullDelivery } from "./delivery-queries.ts";
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
  const [id, createdAt] = [ctx.deps.newId(), ctx.deps.now()];
  const type: EventType = "webhook.test";
  const payload = JSON.stringify({
    id,
    type,
    created_at: new Date(createdAt).toISOString(),
    project_id: project.id,
    data: { webhook_id: webhookId },
  });
  const event = sql`select ${id} as event_id, ${type} as event_type, ${payload} as payload`;
  return addDelivery(ctx, project, webhookId, { event, createdAt });
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
  const event = sql`select event_id, event_type, payload from webhook_deliveries
    where webhook_id = ${webhookId} and id = ${deliveryId} and project_id = ${project.id}`;
  return addDelivery(ctx, project, webhookId, { event, createdAt: ctx.deps.now() });
}

/** Writes a delivery of the selected event, if there is one, and wakes the dispatcher. */
async function addDelivery(
  { deps }: Ctx,
  { id: projectId }: ProjectRow,
  webhookId: string,
  { event, createdAt }: { event: SQL; createdAt: number },
): Promise<FullDelivery> {
  const { db } = deps;
  const id = deps.newId();
  const [webhooks, events, , [delivery]] = await runBatch(db, [
    selectWebhook(db, projectId, webhookId),
    db.all(event),
    waking(deps, insertDelivery(db, { projectId, webhookId }, { id, createdAt }, event)),
    selectDelivery(db, projectId, webhookId, id),
  ]);
  const webhook = firstWebhook(webhooks);
  if (events.length === 0) throw notFound("delivery");
  if (!webhook.active || !delivery) throw refusal("webhook_paused", {});
  return delivery;
}
