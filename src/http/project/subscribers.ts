import { z } from "zod";
import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import {
  createSubscriber,
  deleteSubscriber,
  importSubscribers,
  listSubscribers,
  setSubscriberStatus,
  type SubscriberRow,
} from "../../services/subscribers/index.ts";
import { countAnswer, idAnswer, timeAnswer, timestamp, timestampOrNull } from "../answer-fields.ts";
import { emailField, metadataField, personField, uuidField } from "../fields.ts";
import { pageAnswer, pagesOf } from "../paging.ts";
import { route } from "../route/route.ts";
import { importBody } from "./import-body.ts";

/** The largest body of an import (API reference §4.2). */
const MAX_IMPORT_BYTES = 16 * 1_048_576;

const statusField = z.enum(SUBSCRIBER_STATUSES);

const createBody = z.object({
  email: emailField,
  name: personField.default(""),
  status: statusField.default("active"),
  metadata: metadataField.default({}),
});

const subscriberAnswer = z.strictObject({
  id: idAnswer,
  project_id: idAnswer,
  email: z.string(),
  name: z.string(),
  status: statusField,
  metadata: z.record(z.string(), z.unknown()),
  subscribed_at: timeAnswer,
  unsubscribed_at: timeAnswer.nullable(),
  created_at: timeAnswer,
  updated_at: timeAnswer,
});

/** Presents a subscriber with its metadata (API reference §5.3). */
function presentSubscriber(subscriber: SubscriberRow): z.input<typeof subscriberAnswer> {
  return {
    id: subscriber.id,
    project_id: subscriber.projectId,
    email: subscriber.email,
    name: subscriber.name,
    status: subscriber.status,
    metadata: subscriber.metadata,
    subscribed_at: timestamp(subscriber.subscribedAt),
    unsubscribed_at: timestampOrNull(subscriber.unsubscribedAt),
    created_at: timestamp(subscriber.createdAt),
    updated_at: timestamp(subscriber.updatedAt),
  };
}

const importAnswer = z.strictObject({
  imported: countAnswer,
  skipped: countAnswer,
  rejected: z.array(
    z.strictObject({
      row: countAnswer,
      email: z.string(),
      reason: z.enum(["invalid_syntax", "invalid_status", "no_mx", "disposable"]),
    }),
  ),
});

const pages = pagesOf("subscribers", uuidField, ({ id }: SubscriberRow) => id);

const LIST = "/projects/:id/subscribers";
const ITEM = "/projects/:id/subscribers/:subscriberId";

export const subscriberRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: LIST,
    operation: "projects.subscribers.create",
    summary: "Adds a subscriber.",
    refusals: [409],
    example: { body: { email: "ann@example.com", name: "Ann", metadata: { plan: "pro" } } },
    capability: "subscribers:write",
    body: createBody,
    answer: subscriberAnswer,
    status: 201,
    handle: async ({ ctx, project, body }) =>
      presentSubscriber(await createSubscriber(ctx, project, body)),
  }),
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: LIST,
    operation: "projects.subscribers.list",
    summary: "Lists the subscribers of a project.",
    example: { query: { status: "active" } },
    capability: "read",
    query: pages.query({ status: statusField.optional() }),
    answer: z.strictObject({ subscribers: z.array(subscriberAnswer), ...pageAnswer }),
    handle: async ({ ctx, project, query }) => {
      const { status, ...page } = query;
      const { subscribers, total } = await listSubscribers(ctx, project, status, page);
      const { shown, fields } = pages.cut(page, subscribers, total);
      return { subscribers: shown.map(presentSubscriber), ...fields };
    },
  }),
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: `${LIST}/import`,
    operation: "projects.subscribers.import",
    summary: "Imports subscribers and checks their addresses.",
    example: { body: [{ email: "ann@example.com", name: "Ann" }] },
    capability: "subscribers:write",
    body: importBody,
    isList: true,
    maxBodyBytes: MAX_IMPORT_BYTES,
    answer: importAnswer,
    handle: async ({ ctx, project, body }) => {
      const { imported, skipped, rejected } = await importSubscribers(ctx, project, body);
      return { imported, skipped, rejected };
    },
  }),
  route({
    auth: "cookie",
    method: "PATCH",
    path: ITEM,
    operation: "projects.subscribers.setStatus",
    summary: "Changes the status of a subscriber.",
    example: { body: { status: "unsubscribed" } },
    capability: "subscribers:write",
    body: z.object({ status: statusField }),
    answer: subscriberAnswer,
    handle: async ({ ctx, project, body, param }) => {
      const id = param("subscriberId");
      return presentSubscriber(await setSubscriberStatus(ctx, project, id, body.status));
    },
  }),
  route({
    auth: "cookie",
    method: "DELETE",
    path: ITEM,
    operation: "projects.subscribers.delete",
    summary: "Deletes a subscriber.",
    capability: "subscribers:write",
    handle: ({ ctx, project, param }) => deleteSubscriber(ctx, project, param("subscriberId")),
  }),
];
