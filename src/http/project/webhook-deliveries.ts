import { z } from "zod";
import {
  getDelivery,
  listDeliveries,
  replayDelivery,
  testWebhook,
  type DeliveryRow,
  type FullDelivery,
} from "../../services/webhooks/index.ts";
import { DELIVERY_STATUSES } from "../../db/schema/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { uuidField } from "../fields.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { route } from "../route/route.ts";
import { presenterOf } from "../presenter.ts";

export const deliveryAnswer = namedAnswer("WebhookDelivery", {
  id: idAnswer,
  event_type: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: countAnswer,
  last_status_code: countAnswer.optional().describe("Present if the last attempt got a response."),
  last_error: z.string().optional().describe("Present if the last attempt failed."),
  next_attempt_at: timeAnswer.optional().describe("Present while the delivery is pending."),
  delivered_at: timeAnswer.optional().describe("Present after a success."),
  created_at: timeAnswer,
});

const present = presenterOf(deliveryAnswer);

/** Presents a delivery; optional fields are omitted. */
export const presentDelivery = (delivery: DeliveryRow) =>
  present({ ...delivery, nextAttemptAt: delivery.status === "pending" ? delivery.dueAt : null });

const contents = z.strictObject({
  payload: z.record(z.string(), z.unknown()),
  answer: z.strictObject({ body: z.string(), is_complete: z.boolean() }).nullable(),
});
const presentContents = presenterOf(contents);
const fullAnswer = deliveryAnswer.extend(contents.shape);

/** Presents a delivery with its payload and the response to its last attempt. */
const presentFull = (delivery: FullDelivery) => ({
  ...presentDelivery(delivery),
  ...presentContents({
    // `eventStatement` wrote this JSON.
    payload: JSON.parse(delivery.payload) as Record<string, unknown>,
    answer: delivery.lastAnswer,
  }),
});

const deliveryPages = pagesOf("deliveries", uuidField, ({ id }: FullDelivery) => id);

const ONE = "/projects/:id/webhooks/:webhookId";

const reading = { auth: "cookie", capability: "read", license: "webhooks" } as const;
const writing = { auth: "cookie", capability: "webhooks:write", license: "webhooks" } as const;

/** Routes of a webhook's deliveries (API reference §15.1). */
export const webhookDeliveryRoutes = [
  route({
    ...reading,
    method: "GET",
    path: `${ONE}/deliveries`,
    operation: "projects.webhooks.deliveries.list",
    summary: "Lists the deliveries of a webhook.",
    query: deliveryPages.query({ fields: z.enum(["full"]).optional() }),
    answer: z.strictObject({
      deliveries: z.array(deliveryAnswer.extend(contents.partial().shape)),
      ...pageAnswer,
    }),
    handle: async ({ ctx, project, query, param }) => {
      const { deliveries, total } = await listDeliveries(ctx, project, param("webhookId"), query);
      const { shown, fields } = deliveryPages.cut(query, deliveries, total);
      const presentOne = query.fields === "full" ? presentFull : presentDelivery;
      return { deliveries: shown.map(presentOne), ...fields };
    },
  }),
  route({
    ...reading,
    method: "GET",
    path: `${ONE}/deliveries/:deliveryId`,
    operation: "projects.webhooks.deliveries.get",
    summary: "Returns a delivery with its payload and its response.",
    answer: fullAnswer,
    handle: async ({ ctx, project, param }) =>
      presentFull(await getDelivery(ctx, project, param("webhookId"), param("deliveryId"))),
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
    summary: "Redelivers an event of a webhook.",
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
