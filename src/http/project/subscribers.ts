import { z } from "zod";
import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import {
  createSubscriber,
  deleteSubscriber,
  importSubscribers,
  listSubscribers,
  setSubscriberStatus,
} from "../../services/subscribers/index.ts";
import { emailField, metadataField, pageQuery, personField } from "../fields.ts";
import { presentSubscriber } from "../present.ts";
import { projectRoute } from "../routes.ts";
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

const LIST = "/projects/:id/subscribers";
const ITEM = "/projects/:id/subscribers/:subscriberId";

export const subscriberRoutes = [
  projectRoute({
    method: "POST",
    path: LIST,
    auth: "cookie_or_key",
    capability: "subscribers:write",
    body: createBody,
    handler: async ({ c, ctx, project, body }) =>
      c.json(presentSubscriber(await createSubscriber(ctx, project, body)), 201),
  }),
  projectRoute({
    method: "GET",
    path: LIST,
    auth: "cookie_or_key",
    capability: "read",
    query: pageQuery.extend({ status: statusField.optional() }),
    handler: async ({ c, ctx, project, query }) => {
      const { status, ...page } = query;
      const { subscribers, total } = await listSubscribers(ctx, project, status, page);
      return c.json({ subscribers: subscribers.map(presentSubscriber), total });
    },
  }),
  projectRoute({
    method: "POST",
    path: `${LIST}/import`,
    auth: "cookie_or_key",
    capability: "subscribers:write",
    body: importBody,
    isList: true,
    maxBodyBytes: MAX_IMPORT_BYTES,
    handler: async ({ c, ctx, project, body }) => {
      const { imported, skipped, rejected } = await importSubscribers(ctx, project, body);
      return c.json({ imported, skipped, rejected });
    },
  }),
  projectRoute({
    method: "PATCH",
    path: ITEM,
    auth: "cookie",
    capability: "subscribers:write",
    body: z.object({ status: statusField }),
    handler: async ({ c, ctx, project, body }) => {
      const id = c.req.param("subscriberId") ?? "";
      const subscriber = await setSubscriberStatus(ctx, project, id, body.status);
      return c.json(presentSubscriber(subscriber));
    },
  }),
  projectRoute({
    method: "DELETE",
    path: ITEM,
    auth: "cookie",
    capability: "subscribers:write",
    handler: async ({ c, ctx, project }) => {
      await deleteSubscriber(ctx, project, c.req.param("subscriberId") ?? "");
      return c.body(null, 204);
    },
  }),
];
