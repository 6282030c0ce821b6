import { and, eq, or, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatchAfter } from "../../db/client.ts";
import { subscribers } from "../../db/schema/index.ts";
import { conflict, notFound } from "../../errors.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  changeStatus,
  ownSubscriber,
  selectSubscriber,
  type SubscriberRow,
  type SubscriberStatus,
} from "./queries.ts";
import { sourceOf } from "./subscribers.ts";

/** New values of a subscriber; what is undefined stays. */
export interface SubscriberEdit {
  email?: EmailAddress | undefined;
  name?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  status?: SubscriberStatus | undefined;
}

/**
 * Changes a subscriber in one batch; the same values again change nothing, not even `updated_at`.
 * `unsubscribed_at` is the last time the subscriber became unsubscribed, even while it is active
 * again. A new email keeps the status, so nobody joins a list by it, and ends the undo of the
 * unsubscribe page, whose link the former address has (decision D117). The route checks
 * `subscribers:write`. Throws not_found, and conflict when another subscriber has the email;
 * nothing changes then.
 */
export async function editSubscriber(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  { email, name, metadata, status }: SubscriberEdit,
): Promise<SubscriberRow> {
  const { db } = ctx.deps;
  const now = ctx.deps.now();
  const other = sql`select 1 from subscribers
    where project_id = ${project.id} and email = ${email ?? null} and id <> ${id}`;
  const isFree = sql`not exists (${other})`;
  const values = {
    ...(email === undefined
      ? {}
      : { email, statusBefore: sql`iif(email <> ${email}, null, status_before)` }),
    ...(name === undefined ? {} : { name }),
    ...(metadata === undefined ? {} : { metadata, source: sourceOf(metadata) }),
  };
  const differs = or(
    email === undefined ? undefined : sql`email <> ${email}`,
    name === undefined ? undefined : sql`name <> ${name}`,
    metadata === undefined ? undefined : sql`metadata <> ${JSON.stringify(metadata)}`,
  );
  const edit = db
    .update(subscribers)
    .set({ ...values, updatedAt: now })
    .where(and(ownSubscriber(project.id, id), isFree, differs));
  const [[subscriber], taken] = await runBatchAfter(
    db,
    [
      ...(differs ? [edit] : []),
      ...(status ? changeStatus(ctx.deps, project.id, id, { to: status, when: isFree }, now) : []),
    ],
    [
      selectSubscriber(db, project.id, id),
      db
        .select({ id: subscribers.id })
        .from(subscribers)
        .where(and(eq(subscribers.projectId, project.id), eq(subscribers.email, email ?? ""))),
    ],
  );
  if (!subscriber) throw notFound("subscriber");
  if (taken.some((one) => one.id !== id))
    throw conflict("a subscriber with this email already exists");
  return subscriber;
}
