import type { App } from "../../app.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { selectSubscriber, type SubscriberRow, type SubscriberStatus } from "./queries.ts";

/** What the public page of a subscription shows of it. */
export type Subscription = { found: true; facts: SubscriptionFacts } | { found: false };

export interface SubscriptionFacts {
  email: string;
  status: SubscriberStatus;
  /** When it was unsubscribed last, milliseconds; also when it is not any more. */
  lastLeftAt: number | undefined;
  /** The last unsubscription by a link, for as long as it can be taken back. */
  undoable: UndoableUnsubscription | undefined;
}

export interface UndoableUnsubscription {
  /** The subscriber's `unsubscribed_at`, milliseconds. */
  at: number;
  statusBefore: SubscriberStatus;
}

/** An unsubscription can be taken back for this long: whoever finds the page later is a stranger. */
export const UNDO_LIFE_MS = 48 * HOUR_MS;

/**
 * Reads a subscription without changing it.
 * Authorised by the link in the mail (decision D36).
 */
export async function readSubscription(
  app: App,
  projectId: string,
  subscriberId: string,
): Promise<Subscription> {
  const [row] = await selectSubscriber(app.db, projectId, subscriberId);
  return row ? { found: true, facts: subscriptionFacts(app, row) } : { found: false };
}

/** What the page shows of a row. */
export function subscriptionFacts(app: App, row: SubscriberRow): SubscriptionFacts {
  const { email, status, statusBefore, unsubscribedAt: at } = row;
  const canBeUndone = status === "unsubscribed" && statusBefore !== null && at !== null;
  const isFresh = at !== null && app.now() - at < UNDO_LIFE_MS;
  const undoable = canBeUndone && isFresh ? { at, statusBefore } : undefined;
  return { email, status, lastLeftAt: at ?? undefined, undoable };
}
