import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatchAfter } from "../../db/client.ts";
import { changeStatus, selectSubscriber, type StatusChange } from "./queries.ts";
import {
  subscriptionFacts,
  UNDO_LIFE_MS,
  type Subscription,
  type UndoableUnsubscription,
} from "./read-subscription.ts";

/**
 * Makes a subscriber `unsubscribed`, whatever its status; a repetition changes nothing. The broadcast
 * of the mail counts it, if the link names one. Returns the subscription in its new state. One D1 round trip. The link in the mail authorises the call:
 * anyone who knows the ids may unsubscribe (API reference §13.4).
 */
export async function unsubscribe(
  deps: Deps,
  projectId: string,
  subscriberId: string,
  broadcastId?: string,
): Promise<Subscription> {
  const change = { to: "unsubscribed", isUndoable: true, broadcastId } as const;
  return changeSubscription(deps, projectId, subscriberId, change);
}

/**
 * Undoes one unsubscription within 48 hours, as long as the subscriber is still unsubscribed by it:
 * the former status returns. Otherwise nothing changes. `unsubscribed_at` stays as the record of
 * the last one. The token of the page authorises the call.
 */
export async function resubscribe(
  deps: Deps,
  projectId: string,
  subscriberId: string,
  { at, statusBefore }: UndoableUnsubscription,
): Promise<Subscription> {
  const when = sql`unsubscribed_at = ${at} and unsubscribed_at > ${deps.now() - UNDO_LIFE_MS}
    and status_before = ${statusBefore}`;
  const change = { from: "unsubscribed", to: statusBefore, when } as const;
  return changeSubscription(deps, projectId, subscriberId, change);
}

async function changeSubscription(
  deps: Deps,
  projectId: string,
  subscriberId: string,
  change: StatusChange,
): Promise<Subscription> {
  const { db, now } = deps;
  const changes = changeStatus(deps, projectId, subscriberId, change, now());
  const [[subscriber]] = await runBatchAfter(db, changes, [
    selectSubscriber(db, projectId, subscriberId),
  ]);
  return subscriber
    ? { found: true, facts: subscriptionFacts(deps, subscriber) }
    : { found: false };
}
