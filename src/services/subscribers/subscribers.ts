import type { Page } from "../../lib/page.ts";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import { conflict, notFound } from "../../errors.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  changeStatus,
  insertSubscribers,
  removeSubscriber,
  selectPage,
  selectSubscriber,
  selectTotal,
  type SubscriberRow,
  type SubscriberStatus,
} from "./queries.ts";

export interface SubscriberInput {
  email: EmailAddress;
  name: string;
  status: SubscriberStatus;
  /** Free-form; `metadata.source`, when it is a string, is what broadcasts filter on. */
  metadata: Record<string, unknown>;
}

/**
 * Adds one subscriber. Authorised by the route (`subscribers:write`).
 * Throws conflict when the project has the email, whatever its status.
 */
export async function createSubscriber(
  ctx: Ctx,
  project: ProjectRow,
  input: SubscriberInput,
): Promise<SubscriberRow> {
  const { db, newId, now } = ctx.app;
  const id = newId();
  const source = sourceOf(input.metadata);
  const results = await runBatch(db, [
    ...insertSubscribers(db, project.id, [{ id, ...input, source }], now()),
    selectSubscriber(db, project.id, id),
  ]);
  const [subscriber] = results.at(-1) as SubscriberRow[];
  if (!subscriber) throw conflict("a subscriber with this email already exists");
  return subscriber;
}

function sourceOf({ source }: Record<string, unknown>): string {
  return typeof source === "string" ? source : "";
}

/** A page of the subscribers, newest first, of one status or of all; `total` comes from counters. */
export async function listSubscribers(
  ctx: Ctx,
  project: ProjectRow,
  status: SubscriberStatus | undefined,
  page: Page,
): Promise<{ subscribers: SubscriberRow[]; total: number }> {
  const { db } = ctx.app;
  const statuses = status ? [status] : SUBSCRIBER_STATUSES;
  const [rows, totals] = await runBatch(db, [
    selectPage(db, project.id, statuses, page),
    selectTotal(db, project.id, statuses),
  ]);
  const [{ total } = { total: 0 }] = totals as { total: number }[];
  return { subscribers: rows as SubscriberRow[], total };
}

/**
 * Sets a subscriber's status; the same status again changes nothing, not even `updated_at`.
 * `unsubscribed_at` tells the last time it became unsubscribed, also when it is active again.
 * Authorised by the route (`subscribers:write`). Throws not_found.
 */
export async function setSubscriberStatus(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  status: SubscriberStatus,
): Promise<SubscriberRow> {
  const { db, now } = ctx.app;
  const [, , rows] = await runBatch(db, [
    ...changeStatus(db, project.id, id, { to: status }, now()),
    selectSubscriber(db, project.id, id),
  ]);
  const [subscriber] = rows as SubscriberRow[];
  if (!subscriber) throw notFound("subscriber");
  return subscriber;
}

/** Removes a subscriber; log entries keep its id. Authorised by the route. Throws not_found. */
export async function deleteSubscriber(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { db } = ctx.app;
  const [, deleted] = await runBatch(db, removeSubscriber(db, project.id, id));
  if ((deleted as unknown[]).length === 0) throw notFound("subscriber");
}
