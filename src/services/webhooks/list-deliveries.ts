import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { countFor } from "../../db/paging.ts";
import { totalOf, type ListPage } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import { notFound } from "../../errors.ts";
import {
  countDeliveries,
  selectDeliveries,
  selectDeliveryWithPayload,
  selectWebhook,
  type DeliveryRow,
} from "./queries.ts";
import { firstWebhook } from "./webhooks.ts";

/**
 * Returns a page of a webhook's deliveries, newest first, and their number if the page names it.
 * Throws not_found.
 */
export async function listDeliveries(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
  page: ListPage<string>,
): Promise<{ deliveries: DeliveryRow[]; total: number | undefined }> {
  const { db } = ctx.deps;
  const [webhooks, deliveries, totals] = await runBatch(db, [
    selectWebhook(db, project.id, webhookId),
    selectDeliveries(db, webhookId, page),
    countFor(db, page, countDeliveries(db, webhookId)),
  ]);
  firstWebhook(webhooks);
  return { deliveries, total: totalOf(page, totals) };
}

/** Returns one delivery with the body that its attempts send. Throws not_found. */
export async function getDelivery(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
  id: string,
): Promise<DeliveryRow & { payload: string }> {
  const { db } = ctx.deps;
  const [webhooks, [delivery]] = await runBatch(db, [
    selectWebhook(db, project.id, webhookId),
    selectDeliveryWithPayload(db, project.id, webhookId, id),
  ]);
  firstWebhook(webhooks);
  if (!delivery) throw notFound("delivery");
  return delivery;
}
