import type { SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Ctx } from "../../context.ts";
import { runBatch, runBatchAfter, type BatchResults } from "../../db/client.ts";
import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import { conflict, notFound } from "../../errors.ts";
import { countFor } from "../../db/paging.ts";
import { totalOf, type ListPage } from "../../lib/page.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import { addPendingMail, wakePendingMails, type PendingTemplate } from "./pending-mails.ts";
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
  /** Free-form data; broadcasts filter on `metadata.source` when it is a string. */
  metadata: Record<string, unknown>;
}

/**
 * Adds one subscriber and, given a template, a pending mail to it, which the queue sends. The route
 * checks `subscribers:write`, or a key of the key-based API. One D1 round trip. Throws conflict
 * when the project has the email, whatever its status; nothing changes then.
 */
export async function createSubscriber(
  ctx: Ctx,
  project: ProjectRow,
  input: SubscriberInput,
  mail?: PendingTemplate,
): Promise<SubscriberRow> {
  const { deps } = ctx;
  const { db, newId, now } = deps;
  const id = newId();
  const pending = mail && addPendingMail(deps, project.id, id, mail);
  const source = sourceOf(input.metadata);
  const inserts = insertSubscribers(deps, project.id, [{ id, ...input, source }], now());
  const [[subscriber]] = await runBatchAfter(
    db,
    [...inserts, ...(pending ? [pending.statement] : [])],
    [selectSubscriber(db, project.id, id)],
  );
  if (!subscriber) throw conflict("a subscriber with this email already exists");
  if (pending) deps.waitUntil(wakePendingMails(deps, [pending.id]));
  return subscriber;
}

/** Returns the source by which broadcasts filter a subscriber; "" without one in the metadata. */
export function sourceOf({ source }: Record<string, unknown>): string {
  return typeof source === "string" ? source : "";
}

/** A part of a list, and the size of the whole list if the page names it. */
export interface SubscriberPage {
  subscribers: SubscriberRow[];
  total: number | undefined;
}

/**
 * Returns a page of the subscribers, newest first, of one status or of all; `total` comes from
 * counters.
 */
export async function listSubscribers(
  { deps }: Ctx,
  project: ProjectRow,
  status: SubscriberStatus | undefined,
  page: ListPage<string>,
): Promise<SubscriberPage> {
  return pageOf(page, await runBatch(deps.db, listReads(deps, project.id, status, page)));
}

/** Returns the statements of a list, which an access check runs with its own. */
export function listReads(
  { db }: Deps,
  projectId: string | SQL,
  status: SubscriberStatus | undefined,
  page: ListPage<string>,
) {
  const statuses = status ? [status] : SUBSCRIBER_STATUSES;
  const total = countFor(db, page, selectTotal(db, projectId, statuses));
  return [selectPage(db, projectId, statuses, page), total] as const;
}

type ListResults = BatchResults<ReturnType<typeof listReads>>;

/** Turns the results of `listReads` into a page. */
export function pageOf(page: ListPage<string>, [rows, totals]: ListResults): SubscriberPage {
  return { subscribers: rows, total: totalOf(page, totals) };
}

/**
 * Sets a subscriber's status; the same status again changes nothing, not even `updated_at`.
 * `unsubscribed_at` is the last time the subscriber became unsubscribed, even while it is active
 * again. The route checks `subscribers:write`. Throws not_found.
 */
export async function setSubscriberStatus(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  status: SubscriberStatus,
): Promise<SubscriberRow> {
  const { db, now } = ctx.deps;
  const changes = changeStatus(ctx.deps, project.id, id, { to: status }, now());
  const [[subscriber]] = await runBatchAfter(db, changes, [selectSubscriber(db, project.id, id)]);
  if (!subscriber) throw notFound("subscriber");
  return subscriber;
}

/**
 * Removes a subscriber; log entries keep its id. The route authorises the call. Throws not_found.
 */
export async function deleteSubscriber(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { db } = ctx.deps;
  const [, deleted] = await runBatch(db, removeSubscriber(db, project.id, id));
  if (deleted.length === 0) throw notFound("subscriber");
}
