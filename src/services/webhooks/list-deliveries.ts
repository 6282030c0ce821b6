import type { Ctx } from "../../context.ts";
import { runBatch, type BatchResults, type Database } from "../../db/client.ts";
import { countFor } from "../../db/paging.ts";
import { totalOf, type ListPage } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import { notFound } from "../../errors.ts";
import {
  countDeliveries,
  selectDeliveries,
  selectFullDeliveries,
  selectFullDelivery,
  type DeliveryRow,
  type FullDelivery,
} from "./delivery-queries.ts";
import { selectWebhook } from "./queries.ts";
import { firstWebhook } from "./webhooks.ts";

/**
 * A page of deliveries, newest first, with the number of all deliveries if the page asks for it.
 */
interface Deliveries<Row> {
  deliveries: Row[];
  total: number | undefined;
}

/** Returns a page of a webhook's deliveries. Throws not_found. */
export async function listDeliveries(
  { deps: { db } }: Ctx,
  project: ProjectRow,
  webhookId: string,
  page: ListPage<string>,
): Promise<Deliveries<DeliveryRow>> {
  const [deliveries, ...others] = await runBatch(db, [
    selectDeliveries(db, webhookId, page),
    ...beside(db, project, webhookId, page),
  ]);
  return { deliveries, total: requireTotal(page, others) };
}

/** Returns the same page with payloads and responses. Throws not_found. */
export async function listFullDeliveries(
  { deps: { db } }: Ctx,
  project: ProjectRow,
  webhookId: string,
  page: ListPage<string>,
): Promise<Deliveries<FullDelivery>> {
  const [deliveries, ...others] = await runBatch(db, [
    selectFullDeliveries(db, webhookId, page),
    ...beside(db, project, webhookId, page),
  ]);
  return { deliveries, total: requireTotal(page, others) };
}

/** Returns the statements that a list needs in addition to its page. */
const beside = (db: Database, project: ProjectRow, webhookId: string, page: ListPage<string>) =>
  [
    selectWebhook(db, project.id, webhookId),
    countFor(db, page, countDeliveries(db, webhookId)),
  ] as const;

function requireTotal(
  page: ListPage<string>,
  [webhooks, totals]: BatchResults<ReturnType<typeof beside>>,
): number | undefined {
  firstWebhook(webhooks);
  return totalOf(page, totals);
}

/** Returns one delivery with its payload and response. Throws not_found. */
export async function getDelivery(
  ctx: Ctx,
  project: ProjectRow,
  webhookId: string,
  id: string,
): Promise<FullDelivery> {
  const { db } = ctx.deps;
  const [webhooks, [delivery]] = await runBatch(db, [
    selectWebhook(db, project.id, webhookId),
    selectFullDelivery(db, project.id, webhookId, id),
  ]);
  firstWebhook(webhooks);
  if (!delivery) throw notFound("delivery");
  return delivery;
}
