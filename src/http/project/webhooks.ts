import { z } from "zod";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  setWebhookActive,
  SUBSCRIBABLE_EVENTS,
  testWebhook,
} from "../../services/webhooks/index.ts";
import { pageQuery, wholeListQuery } from "../fields.ts";
import { listField } from "../given.ts";
import type { HttpContext } from "../http-env.ts";
import { presentDelivery, presentWebhook } from "../present.ts";
import { projectRoute } from "../routes.ts";

/** The longest URL; ours: the common limit of proxies and browsers. */
const MAX_URL_CHARACTERS = 2_048;

/** Entries of `events`, including repeated ones; ours. */
const MAX_EVENTS = 100;

const createBody = z.object({
  url: z.string().max(MAX_URL_CHARACTERS),
  events: listField(
    z.enum(SUBSCRIBABLE_EVENTS, {
      message: `must be one of ${SUBSCRIBABLE_EVENTS.join(", ")}`,
    }),
    MAX_EVENTS,
    `must have at most ${MAX_EVENTS} entries`,
  )
    .nullish()
    .transform((events) => events ?? []),
});

const LIST = "/projects/:id/webhooks";
const ONE = `${LIST}/:webhookId`;
const webhookIdOf = (c: HttpContext) => c.req.param("webhookId") ?? "";

const reading = { auth: "cookie", capability: "read", license: "webhooks" } as const;
const writing = { auth: "cookie", capability: "webhooks:write", license: "webhooks" } as const;

/** Routes of API reference §15.1; test and replay are ours. */
export const webhookRoutes = [
  projectRoute({
    method: "POST",
    path: LIST,
    ...writing,
    body: createBody,
    handler: async ({ c, ctx, project, body }) => {
      const { row, secret } = await createWebhook(ctx, project, body);
      return c.json(presentWebhook(row, secret), 201);
    },
  }),
  projectRoute({
    method: "GET",
    path: LIST,
    ...reading,
    query: wholeListQuery,
    handler: async ({ c, ctx, project, query }) => {
      const webhooks = await listWebhooks(ctx, project, query);
      return c.json({ webhooks: webhooks.map((webhook) => presentWebhook(webhook)) });
    },
  }),
  projectRoute({
    method: "GET",
    path: ONE,
    ...reading,
    handler: async ({ c, ctx, project }) =>
      c.json(presentWebhook(await getWebhook(ctx, project, webhookIdOf(c)))),
  }),
  projectRoute({
    method: "PATCH",
    path: ONE,
    ...writing,
    body: z.strictObject({ active: z.boolean() }),
    handler: async ({ c, ctx, project, body }) => {
      const webhook = await setWebhookActive(ctx, project, webhookIdOf(c), body.active);
      return c.json(presentWebhook(webhook));
    },
  }),
  projectRoute({
    method: "DELETE",
    path: ONE,
    ...writing,
    handler: async ({ c, ctx, project }) => {
      await deleteWebhook(ctx, project, webhookIdOf(c));
      return c.body(null, 204);
    },
  }),
  projectRoute({
    method: "GET",
    path: `${ONE}/deliveries`,
    ...reading,
    query: pageQuery,
    handler: async ({ c, ctx, project, query }) => {
      const { deliveries, total } = await listDeliveries(ctx, project, webhookIdOf(c), query);
      return c.json({ deliveries: deliveries.map(presentDelivery), total });
    },
  }),
  projectRoute({
    method: "POST",
    path: `${ONE}/test`,
    ...writing,
    handler: async ({ c, ctx, project }) =>
      c.json(presentDelivery(await testWebhook(ctx, project, webhookIdOf(c))), 202),
  }),
  projectRoute({
    method: "POST",
    path: `${ONE}/deliveries/:deliveryId/replay`,
    ...writing,
    handler: async ({ c, ctx, project }) => {
      const deliveryId = c.req.param("deliveryId") ?? "";
      const delivery = await replayDelivery(ctx, project, webhookIdOf(c), deliveryId);
      return c.json(presentDelivery(delivery), 202);
    },
  }),
];
