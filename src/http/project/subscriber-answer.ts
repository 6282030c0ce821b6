import { z } from "zod";
import { SUBSCRIBER_STATUSES, SUPPRESSION_REASONS } from "../../db/schema/index.ts";
import { subscriberState, type SubscriberRow } from "../../services/subscribers/index.ts";
import { idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { setState } from "../entity-tag.ts";
import type { HttpContext } from "../http-env.ts";
import { presenterOf } from "../presenter.ts";

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
export const presentSubscriber = presenterOf(subscriberAnswer);

/** A subscriber of a list, and whether the address is suppressed. */
export const listedAnswer = subscriberAnswer.extend({
  suppressed: z
    .enum(SUPPRESSION_REASONS)
    .nullable()
    .describe("Why the address gets no mail, whatever the status."),
});

export const presentListed = presenterOf(listedAnswer);

/** Presents a subscriber with its ETag. */
export function answerSubscriber(c: HttpContext, subscriber: SubscriberRow) {
  setState(c, subscriberState(subscriber));
  return presentSubscriber(subscriber);
}
