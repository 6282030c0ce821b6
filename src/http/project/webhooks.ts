import { z } from "zod";
import { optionalRead } from "../../db/client.ts";
import { WEBHOOK_FORMATS } from "../../db/schema/index.ts";
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  getWebhook,
  listWebhooks,
  selectWebhook,
  SUBSCRIBABLE_EVENTS,
  webhookState,
  type WebhookRow,
} from "../../services/webhooks/index.ts";
import type { Capability } from "../../services/access/index.ts";
import { idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { expectedState, expectedTags, setState } from "../entity-tag.ts";
import { wholeListQuery } from "../fields.ts";
import { listField } from "../given.ts";
import type { HttpContext } from "../http-env.ts";
import { route } from "../route/route.ts";
import { fault } from "../fault.ts";
import { changeOf } from "../in-code.ts";
import { presenterOf } from "../presenter.ts";

/** Maximum length of a URL; our own choice, the common limit of proxies and browsers. */
const MAX_URL_CHARACTERS = 2_048;

/** Maximum entries of `events`, including duplicates; our own choice. */
const MAX_EVENTS = 100;

const urlField = z.string().max(MAX_URL_CHARACTERS);
const eventsField = listField(
  z.enum(SUBSCRIBABLE_EVENTS, {
    error: fault("not_in_list", { values: SUBSCRIBABLE_EVENTS.join(", ") }),
  }),
  MAX_EVENTS,
);

const createBody = z.object({
  url: urlField,
  events: eventsField.nullish().transform((events) => events ?? []),
  format: z.enum(WEBHOOK_FORMATS).default("postrider"),
});

const editBody = changeOf(
  z.strictObject({ active: z.boolean(), url: urlField, events: eventsField }),
);

const webhookAnswer = namedAnswer("Webhook", {
  id: idAnswer,
  url: z.string().describe("Only the origin without `webhooks:write`."),
  secret: z
    .string()
    .describe("64 hexadecimal characters in the answer to the creation; empty afterward."),
  events: z.array(z.string()).describe("An empty list selects all events, including future ones."),
  active: z.boolean(),
  format: z.enum(WEBHOOK_FORMATS).describe("Whose payload and headers it gets; never changes."),
  created_at: timeAnswer,
});

const present = presenterOf(webhookAnswer);

/** Presents a webhook; only the response to a create contains the secret. */
const presentWebhook = (webhook: WebhookRow, secret = "") => present({ ...webhook, secret });

/**
 * Returns a webhook as the caller may see it. A URL is often the receiver's only credential, so
 * callers who may not change the webhook see just its origin.
 */
const shownTo = (capabilities: Capability[], webhook: WebhookRow): WebhookRow =>
  capabilities.includes("webhooks:write")
    ? webhook
    : { ...webhook, url: new URL(webhook.url).origin };

/** Presents a webhook with its ETag. */
function answerWebhook(c: HttpContext, webhook: WebhookRow, secret = "") {
  setState(c, webhookState(webhook));
  return presentWebhook(webhook, secret);
}

const LIST = "/projects/:id/webhooks";
const ONE = `${LIST}/:webhookId` as const;

const reading = { auth: "cookie", capability: "read", license: "webhooks" } as const;
const writing = { auth: "cookie", capability: "webhooks:write", license: "webhooks" } as const;

/** Routes of webhooks (API reference §15.1). */
export const webhookRoutes = [
  route({
    ...writing,
    method: "POST",
    path: LIST,
    operation: "projects.webhooks.create",
    summary: "Creates a webhook; only this response shows its secret.",
    once: true,
    refusals: [409],
    example: { body: { url: "https://shop.example.com/hooks/mail", events: ["email.sent"] } },
    body: createBody,
    answer: webhookAnswer,
    status: 201,
    handle: async ({ c, ctx, project, body }) => {
      const { row, secret } = await createWebhook(ctx, project, body);
      return answerWebhook(c, row, secret);
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
    handle: async ({ ctx, project, capabilities, query }) => {
      const webhooks = await listWebhooks(ctx, project, query);
      return { webhooks: webhooks.map((row) => presentWebhook(shownTo(capabilities, row))) };
    },
  }),
  route({
    ...reading,
    method: "GET",
    path: ONE,
    operation: "projects.webhooks.get",
    summary: "Returns a webhook.",
    answer: webhookAnswer,
    handle: async ({ c, ctx, project, capabilities, param }) => {
      const row = await getWebhook(ctx, project, param("webhookId"));
      return answerWebhook(c, shownTo(capabilities, row));
    },
  }),
  route({
    ...writing,
    method: "PATCH",
    path: ONE,
    operation: "projects.webhooks.update",
    summary: "Pauses or resumes a webhook.",
    obeysIfMatch: true,
    example: { body: { active: true } },
    body: editBody,
    answer: webhookAnswer,
    reads: ({ c, deps: { db }, projectId, param }) => [
      optionalRead(expectedTags(c), () => selectWebhook(db, projectId, param("webhookId"))),
    ],
    handle: async ({ c, ctx, project, body, param, reads: [[known]] }) => {
      const before = expectedState(c, "webhook", known, webhookState);
      return answerWebhook(c, await editWebhook(ctx, project, param("webhookId"), body, before));
    },
  }),
  route({
    ...writing,
    method: "DELETE",
    path: ONE,
    operation: "projects.webhooks.delete",
    summary: "Deletes a webhook.",
    handle: ({ ctx, project, param }) => deleteWebhook(ctx, project, param("webhookId")),
  }),
];
