import { z } from "zod";
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  SUBSCRIBABLE_EVENTS,
  testWebhook,
  type DeliveryRow,
  type WebhookRow,
} from "../../services/webhooks/index.ts";
import { DELIVERY_STATUSES } from "../../db/schema/index.ts";
import { countAnswer, idAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { uuidField, wholeListQuery } from "../fields.ts";
import { listField } from "../given.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { route } from "../route/route.ts";

/** The longest URL; ours: the common limit of proxies and browsers. */
const MAX_URL_CHARACTERS = 2_048;

/** Entries of `events`, including repeated ones; ours. */
const MAX_EVENTS = 100;

const urlField = z.string().max(MAX_URL_CHARACTERS);
const eventsField = listField(
  z.enum(SUBSCRIBABLE_EVENTS, {
    message: `must be one of ${SUBSCRIBABLE_EVENTS.join(", ")}`,
  }),
  MAX_EVENTS,
  `must have at most ${MAX_EVENTS} entries`,
);

const createBody = z.object({
  url: urlField,
  events: eventsField.nullish().transform((events) => events ?? []),
});

const editBody = z
  .strictObject({
    active: z.boolean().optional(),
    url: urlField.optional(),
    events: eventsField.optional(),
  })
  .refine(
    (edit) => Object.values(edit).some((value) => value !== undefined),
    "must have active, a url or events",
  );

const webhookAnswer = z.strictObject({
  id: idAnswer,
  url: z.string(),
  secret: z.string(),
  events: z.array(z.string()),
  active: z.boolean(),
  created_at: timeAnswer,
});

/** Presents a webhook (API reference §5.8); the create answer alone shows the secret. */
function presentWebhook(webhook: WebhookRow, secret = ""): z.input<typeof webhookAnswer> {
  return {
    id: webhook.id,
    url: webhook.url,
    secret,
    events: webhook.events,
    active: webhook.active,
    created_at: timestamp(webhook.createdAt),
  };
}

export const deliveryAnswer = z.strictObject({
  id: idAnswer,
  event_type: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: countAnswer,
  last_status_code: countAnswer.optional(),
  last_error: z.string().optional(),
  next_attempt_at: timeAnswer.optional(),
  delivered_at: timeAnswer.optional(),
  created_at: timeAnswer,
});

/** Presents a delivery (API reference §5.9); fields marked "present when" may be absent. */
export function presentDelivery(delivery: DeliveryRow): z.input<typeof deliveryAnswer> {
  const { lastStatusCode, lastError, dueAt, deliveredAt } = delivery;
  return {
    id: delivery.id,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    ...(lastStatusCode === null ? {} : { last_status_code: lastStatusCode }),
    ...(lastError === null ? {} : { last_error: lastError }),
    ...(delivery.status === "pending" && dueAt !== null
      ? { next_attempt_at: timestamp(dueAt) }
      : {}),
    ...(deliveredAt === null ? {} : { delivered_at: timestamp(deliveredAt) }),
    created_at: timestamp(delivery.createdAt),
  };
}

const deliveryPages = pagesOf("deliveries", uuidField, ({ id }: DeliveryRow) => id);

const LIST = "/projects/:id/webhooks";
const ONE = `${LIST}/:webhookId` as const;

const reading = { auth: "cookie", capability: "read", license: "webhooks" } as const;
const writing = { auth: "cookie", capability: "webhooks:write", license: "webhooks" } as const;

/** Routes of API reference §15.1; test and replay are ours. */
export const webhookRoutes = [
  route({
    ...writing,
    method: "POST",
    path: LIST,
    operation: "projects.webhooks.create",
    summary: "Creates a webhook; this answer alone shows its secret.",
    once: true,
    refusals: [409],
    example: { body: { url: "https://shop.example.com/hooks/mail", events: ["email.sent"] } },
    body: createBody,
    answer: webhookAnswer,
    status: 201,
    handle: async ({ ctx, project, body }) => {
      const { row, secret } = await createWebhook(ctx, project, body);
      return presentWebhook(row, secret);
    },
  }),
  route({
    ...reading,
    method: "GET",
    path: LIST,
    operation: "projects.webhooks.list",
    summary: "Lists the webhooks of a project.",
    query: wholeListQuery,
    answer: z.strictObject({ webhooks: z.array(webhookAnswer) }),
    handle: async ({ ctx, project, query }) => {
      const webhooks = await listWebhooks(ctx, project, query);
      return { webhooks: webhooks.map((webhook) => presentWebhook(webhook)) };
    },
  }),
  route({
    ...reading,
    method: "GET",
    path: ONE,
    operation: "projects.webhooks.get",
    summary: "Returns a webhook.",
    answer: webhookAnswer,
    handle: async ({ ctx, project, param }) =>
      presentWebhook(await getWebhook(ctx, project, param("webhookId"))),
  }),
  route({
    ...writing,
    method: "PATCH",
    path: ONE,
    operation: "projects.webhooks.update",
    summary: "Pauses or resumes a webhook.",
    example: { body: { active: true } },
    body: editBody,
    answer: webhookAnswer,
    handle: async ({ ctx, project, body, param }) =>
      presentWebhook(await editWebhook(ctx, project, param("webhookId"), body)),
  }),
  route({
    ...writing,
    method: "DELETE",
    path: ONE,
    operation: "projects.webhooks.delete",
    summary: "Deletes a webhook.",
    handle: ({ ctx, project, param }) => deleteWebhook(ctx, project, param("webhookId")),
  }),
  route({
    ...reading,
    method: "GET",
    path: `${ONE}/deliveries`,
    operation: "projects.webhooks.deliveries.list",
    summary: "Lists the deliveries of a webhook.",
    query: deliveryPages.query({}),
    answer: z.strictObject({ deliveries: z.array(deliveryAnswer), ...pageAnswer }),
    handle: async ({ ctx, project, query, param }) => {
      const id = param("webhookId");
      const { deliveries, total } = await listDeliveries(ctx, project, id, query);
      const { shown, fields } = deliveryPages.cut(query, deliveries, total);
      return { deliveries: shown.map(presentDelivery), ...fields };
    },
  }),
  route({
    ...reading,
    method: "GET",
    path: `${ONE}/deliveries/:deliveryId`,
    operation: "projects.webhooks.deliveries.get",
    summary: "Returns a delivery with its payload.",
    answer: deliveryAnswer.extend({ payload: z.record(z.string(), z.unknown()) }),
    handle: async ({ ctx, project, param }) => {
      const delivery = await getDelivery(ctx, project, param("webhookId"), param("deliveryId"));
      // `eventStatement` wrote this JSON.
      const payload = JSON.parse(delivery.payload) as Record<string, unknown>;
      return { ...presentDelivery(delivery), payload };
    },
  }),
  route({
    ...writing,
    method: "POST",
    path: `${ONE}/test`,
    operation: "projects.webhooks.test",
    summary: "Delivers a test event to a webhook.",
    once: true,
    refusals: [409],
    answer: deliveryAnswer,
    status: 202,
    handle: async ({ ctx, project, param }) =>
      presentDelivery(await testWebhook(ctx, project, param("webhookId"))),
  }),
  route({
    ...writing,
    method: "POST",
    path: `${ONE}/deliveries/:deliveryId/replay`,
    operation: "projects.webhooks.deliveries.replay",
    summary: "Delivers an event of a webhook again.",
    once: true,
    refusals: [409],
    answer: deliveryAnswer,
    status: 202,
    handle: async ({ ctx, project, param }) => {
      const [webhookId, deliveryId] = [param("webhookId"), param("deliveryId")];
      return presentDelivery(await replayDelivery(ctx, project, webhookId, deliveryId));
    },
  }),
];
