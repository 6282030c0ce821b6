import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../access/index.ts";
import type { EventType } from "./emit-events.ts";
import { insertDelivery, type DeliveryRow } from "./delivery-queries.ts";
import { addDelivery } from "./add-delivery.ts";

/**
 * Sends a `webhook.test` event to this webhook only, regardless of its subscribed events. Returns
 * its delivery. The route checks `webhooks:write`. Throws not_found, and 409 if the webhook is
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
