import type { App } from "../../app.ts";
import { selectSubscriber, type SubscriberStatus } from "./queries.ts";

/** What the public page of a subscription shows of it. */
export type Subscription =
  | { found: true; email: string; status: SubscriberStatus }
  | { found: false };

/**
 * Reads a subscription without changing it, for visitors who only look ahead.
 * Authorised by the link in the mail (decisions, "Tracking and unsubscribe").
 */
export async function readSubscription(
  app: App,
  projectId: string,
  subscriberId: string,
): Promise<Subscription> {
  const [row] = await selectSubscriber(app.db, projectId, subscriberId);
  return row ? { found: true, email: row.email, status: row.status } : { found: false };
}
