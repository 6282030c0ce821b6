import type { App } from "../../app.ts";
import { runWithEvents } from "../webhooks/index.ts";
import {
  changeStatus,
  selectSubscriber,
  type StatusChange,
  type SubscriberRow,
} from "./queries.ts";

/** What a public change of a subscription did; `changed` is false when it was so already. */
export type SubscriptionChange =
  | { found: true; email: string; changed: boolean }
  | { found: false };

/**
 * Makes a subscriber `unsubscribed`, whatever it was; doing it again changes nothing.
 * Authorised by the link in the mail: who knows the ids may unsubscribe (API reference, "Unsubscribe").
 */
export async function unsubscribe(
  app: App,
  projectId: string,
  subscriberId: string,
): Promise<SubscriptionChange> {
  return changeSubscription(app, projectId, subscriberId, { to: "unsubscribed" });
}

/**
 * Undoes an unsubscription: `unsubscribed` becomes `active`, anything else stays as it is.
 * `unsubscribed_at` is kept as the record of the last one. Authorised by the token of the page.
 */
export async function resubscribe(
  app: App,
  projectId: string,
  subscriberId: string,
): Promise<SubscriptionChange> {
  return changeSubscription(app, projectId, subscriberId, { from: "unsubscribed", to: "active" });
}

async function changeSubscription(
  app: App,
  projectId: string,
  subscriberId: string,
  change: StatusChange,
): Promise<SubscriptionChange> {
  const { db, now } = app;
  const results = await runWithEvents(app, [
    ...changeStatus(app, projectId, subscriberId, change, now()),
    selectSubscriber(db, projectId, subscriberId),
  ]);
  const [changed, [subscriber]] = results.slice(-2) as [unknown[], SubscriberRow[]];
  if (!subscriber) return { found: false };
  return { found: true, email: subscriber.email, changed: changed.length > 0 };
}
