import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectProject } from "../projects/index.ts";
import { selectSubscriber, type SubscriberRow, type SubscriberStatus } from "./queries.ts";

/** The contents of a subscription's public page; the project is missing if it is gone. */
export type Subscription =
  | { found: true; facts: SubscriptionFacts; project: ProjectRow | undefined }
  | { found: false };

export interface SubscriptionFacts {
  email: string;
  status: SubscriberStatus;
  /** The time of the last unsubscribe in milliseconds, even if undone since. */
  lastLeftAt: number | undefined;
  /** The last unsubscribe through a link, while it can be undone. */
  undoable: UndoableUnsubscription | undefined;
}

export interface UndoableUnsubscription {
  /** The subscriber's `unsubscribed_at` in milliseconds. */
  at: number;
  statusBefore: SubscriberStatus;
}

/** The time within which an unsubscribe can be undone. A later visitor may be another person. */
export const UNDO_LIFE_MS = 48 * HOUR_MS;

/**
 * Reads a subscription without changing it. The link in the mail authorizes the call (decision
 * D22).
 */
export async function readSubscription(
  deps: Deps,
  projectId: string,
  subscriberId: string,
): Promise<Subscription> {
  const { db } = deps;
  const [[row], [project]] = await runBatch(db, [
    selectSubscriber(db, projectId, subscriberId),
    selectProject(db, projectId),
  ]);
  return row ? { found: true, facts: subscriptionFacts(deps, row), project } : { found: false };
}

/** Returns the contents of the page for a row. */
export function subscriptionFacts(deps: Deps, row: SubscriberRow): SubscriptionFacts {
  const { email, status, statusBefore, unsubscribedAt: at } = row;
  const canBeUndone = status === "unsubscribed" && statusBefore !== null && at !== null;
  const isFresh = at !== null && deps.now() - at < UNDO_LIFE_MS;
  const undoable = canBeUndone && isFresh ? { at, statusBefore } : undefined;
  return { email, status, lastLeftAt: at ?? undefined, undoable };
}
