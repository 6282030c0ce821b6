import { z } from "zod";
import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import { subscriberState, type SubscriberRow } from "../../services/subscribers/index.ts";
import { idAnswer, namedAnswer, timeAnswer, timestamp, timestampOrNull } from "../answer-fields.ts";
import { setState } from "../entity-tag.ts";
import type { HttpContext } from "../http-env.ts";

export const statusField = z.enum(SUBSCRIBER_STATUSES);

export const subscriberAnswer = namedAnswer("Subscriber", {
  id: idAnswer,
  project_id: idAnswer,
  email: z.string().describe("Unique within the project."),
  name: z.string(),
  status: statusField,
  metadata: z.record(z.string(), z.unknown()),
  tags: z.array(z.string()),
  subscribed_at: timeAnswer,
  unsubscribed_at: timeAnswer
    .nullable()
    .describe("When the status last became `unsubscribed`; stays after a reactivation."),
  created_at: timeAnswer,
  updated_at: timeAnswer,
});

/** Presents a subscriber with its metadata. */
export function presentSubscriber(subscriber: SubscriberRow): z.input<typeof subscriberAnswer> {
  return {
    id: subscriber.id,
    project_id: subscriber.projectId,
    email: subscriber.email,
    name: subscriber.name,
    status: subscriber.status,
    metadata: subscriber.metadata,
    tags: subscriber.tags,
    subscribed_at: timestamp(subscriber.subscribedAt),
    unsubscribed_at: timestampOrNull(subscriber.unsubscribedAt),
    created_at: timestamp(subscriber.createdAt),
    updated_at: timestamp(subscriber.updatedAt),
  };
}

/** Presents a subscriber with its ETag. */
export function answerSubscriber(c: HttpContext, subscriber: SubscriberRow) {
  setState(c, subscriberState(subscriber));
  return presentSubscriber(subscriber);
}
