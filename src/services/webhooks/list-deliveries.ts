import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { countFor } from "../../db/paging.ts";
import { totalOf, type ListPage } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import { notFound } from "../../errors.ts";
import {
  countDeliveries,
  selectDeliveries,
  selectDelivery,
  type FullDelivery,
} from "./delivery-queries.ts";
import { selectWebhook } from "./queries.ts";
import { firstWebhook } from "./webhooks.ts";

/**
 * Returns a page of a webhook's deliveries, newest first, with the number of all if the page asks
 * for it. Throws not_found.
 */
export async function listDeliveries(
  { deps: { db } }: Ctx,
  project: ProjectRow,
  webhookId: string,
  page: ListPage<string>,
): Promise<{ deliveries: FullDelivery[]; total: number | undefined }> {
  const [deliveries, webhooks, totals] = await runBatch(db, [
    selectDeliveries(db, webhookId, page),
    selectWebhook(db, project.id, webhookId),
    countFor(db, page, countDeliveries(db, webhookId)),
  ]);
  firstWebhook(webhooks);
  return { deliveries, total: totalOf(page, totals) };
}

/** Returns one delivery. Throws not_found. */
export async function getDelivery(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
  id: string,
): Promise<FullDelivery> {
  const { db } = ctx.deps;
  const [webhooks, [delivery]] = await runBatch(db, [
    selectWebhook(db, project.id, webhookId),
    selectDelivery(db, project.id, webhookId, id),
  ]);
  firstWebhook(webhooks);
  if (!delivery) throw notFound("delivery");
  return delivery;
}
