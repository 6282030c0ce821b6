import { z } from "zod";
import { CONSENT_ACTIONS, CONSENT_STATES, CONSENT_WAYS } from "../../db/schema/index.ts";
import { MOST_TOPICS, readConsents, setConsents } from "../../services/topics/index.ts";
import type { SubscriberConsents } from "../../services/topics/index.ts";
import { idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { recordField } from "../given.ts";
import { MOST_TOPIC_CHARACTERS } from "../topics-field.ts";
import { route } from "../route/route.ts";
import { fault } from "../fault.ts";
import { presenterOf } from "../presenter.ts";

export const consentsField = recordField(
  z.string().max(MOST_TOPIC_CHARACTERS),
  z.enum(CONSENT_STATES),
  MOST_TOPICS,
);

export const topicsBody = consentsField.refine(
  (consents) => Object.keys(consents).length > 0,
  fault("empty"),
);

export const consentsAnswer = namedAnswer("Consents", {
  topics: z.array(
    z.strictObject({
      topic_id: idAnswer,
      name: z.string(),
      state: z.enum(CONSENT_STATES).nullable(),
      since: timeAnswer.nullable(),
      by: z.enum(CONSENT_WAYS).nullable(),
    }),
  ),
  history: z.array(
    z.strictObject({
      topic_id: idAnswer.nullable(),
      topic_name: z.string().nullable(),
      action: z.enum(CONSENT_ACTIONS),
      by: z.enum(CONSENT_WAYS),
      at: timeAnswer,
      ip_address: z.string(),
      user_agent: z.string(),
      form_text: z.string(),
    }),
  ),
});

const present = presenterOf(consentsAnswer);

/** Presents the consents of a subscriber with their history (API reference §12.6). */
export const presentConsents = ({ consents, history }: SubscriberConsents) =>
  present({ topics: consents, history });

const PATH = "/projects/:id/subscribers/:subscriberId/topics";

/** Routes of a subscriber's consents (API reference §12.6). */
export const subscriberTopicRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: PATH,
    operation: "projects.subscribers.topics.get",
    summary: "Returns the consents of a subscriber with their history.",
    capability: "read",
    answer: consentsAnswer,
    handle: async ({ ctx, project, param }) =>
      presentConsents(await readConsents(ctx, project, param("subscriberId"))),
  }),
  route({
    auth: "cookie_or_key",
    method: "PUT",
    path: PATH,
    operation: "projects.subscribers.topics.save",
    summary: "Sets the consent of a subscriber to some topics.",
    example: { body: { "Weekly digest": "subscribed" } },
    capability: "subscribers:write",
    body: topicsBody,
    answer: consentsAnswer,
    handle: async ({ ctx, project, param, body }) =>
      presentConsents(await setConsents(ctx, project, param("subscriberId"), body)),
  }),
];
