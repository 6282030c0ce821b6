import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { Page } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import { countDeliveries, selectDeliveries, selectWebhook, type DeliveryRow } from "./queries.ts";
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
