import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatchAfter } from "../../db/client.ts";
import { selectProject } from "../projects/index.ts";
import { trimHistory, type ConsentProof } from "../topics/index.ts";
import { changeStatus, selectSubscriber, type StatusChange } from "./queries.ts";
import {
  subscriptionFacts,
  UNDO_LIFE_MS,
  type Subscription,
  type UndoableUnsubscription,
} from "./read-subscription.ts";

/** The proof of a visit through a link whose origin is unknown. */
const NO_PROOF: ConsentProof = { by: "link", ipAddress: "", userAgent: "", formText: "" };

/**
 * Changes a subscriber to `unsubscribed`, whatever its status. Idempotent. If the link names a
 * broadcast, the unsubscribe counts in that broadcast. Returns the subscription in its new state.
 * Takes one D1 round trip. The link in the mail authorizes the call: anyone who knows the ids may
 * unsubscribe (API reference §13.4).
 */
export async function unsubscribe(
  deps: Deps,
  projectId: string,
  subscriberId: string,
  {
    broadcastId,
    proof = NO_PROOF,
  }: { broadcastId?: string | undefined; proof?: ConsentProof } = {},
): Promise<Subscription> {
  const consent = { action: "unsubscribed", proof } as const;
  const change = { to: "unsubscribed", isUndoable: true, broadcastId, consent } as const;
  return changeSubscription(deps, projectId, subscriberId, change);
}

/**
 * Undoes one unsubscribe within 48 hours, while the subscriber is still unsubscribed by it, and
 * restores the former status. Otherwise nothing changes. `unsubscribed_at` stays as the record of
 * the last unsubscribe. The token of the page authorizes the call.
 */
export async function resubscribe(
  deps: Deps,
  projectId: string,
  subscriberId: string,
  { at, statusBefore }: UndoableUnsubscription,
  proof: ConsentProof = NO_PROOF,
): Promise<Subscription> {
  const when = sql`unsubscribed_at = ${at} and unsubscribed_at > ${deps.now() - UNDO_LIFE_MS}
    and status_before = ${statusBefore}`;
  const consent = { action: "subscribed", proof } as const;
  const change = { from: "unsubscribed", to: statusBefore, when, consent } as const;
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
  const [[subscriber], [project]] = await runBatchAfter(
    db,
    [...changes, trimHistory(db, projectId, subscriberId)],
    [selectSubscriber(db, projectId, subscriberId), selectProject(db, projectId)],
  );
  return subscriber
    ? { found: true, facts: subscriptionFacts(deps, subscriber), project }
    : { found: false };
}
