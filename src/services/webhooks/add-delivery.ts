import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound, refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectDelivery, type DeliveryRow, type insertDelivery } from "./delivery-queries.ts";
import { waking } from "./emit-events.ts";
import { selectWebhook } from "./queries.ts";
import { firstWebhook } from "./webhooks.ts";

type Source = ReturnType<typeof selectDelivery>;

/** Writes a delivery and wakes the dispatcher. Throws not_found if the source does not exist. */
export async function addDelivery(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
  id: string,
  { sources = [], insert }: { sources?: Source[]; insert: ReturnType<typeof insertDelivery> },
): Promise<DeliveryRow> {
  const { deps } = ctx;
  const [webhooks, , [delivery], ...found] = await runBatch(deps.db, [
    selectWebhook(deps.db, project.id, webhookId),
    waking(deps, insert),
    selectDelivery(deps.db, project.id, webhookId, id),
    ...sources,
  ]);
  const webhook = firstWebhook(webhooks);
  if (found.some((rows) => rows.length === 0)) throw notFound("delivery");
  if (!webhook.active || !delivery) throw refusal("webhook_paused", {});
  return delivery;
}
