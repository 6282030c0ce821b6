import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../access/index.ts";
import { copyDelivery, selectDelivery, type DeliveryRow } from "./delivery-queries.ts";
import { addDelivery } from "./add-delivery.ts";

/**
 * Sends the event of an earlier delivery again, as a new delivery with the same event id and an
 * identical copy of the current payload. IP addresses are removed from both at the same time
 * (empty-click-addresses.ts). The route checks `webhooks:write`. Throws not_found for webhook and
 * delivery, and 409 if the webhook is paused.
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
