import type { Ctx } from "../../context.ts";
import { runBatch, type Statement } from "../../db/client.ts";
import { conflict, notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectDelivery, type DeliveryRow } from "./delivery-queries.ts";
import { selectWebhook } from "./queries.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";
import { firstWebhook } from "./webhooks.ts";

type Source = ReturnType<typeof selectDelivery>;

/**
 * Writes a delivery and wakes the dispatcher. Throws not_found when the named source does not
 * exist.
 */
export async function addDelivery(
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
