import { z } from "zod";
import { API_KEY_TYPES } from "../../db/schema/index.ts";
import { CAPABILITIES } from "../../services/access/index.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "../../services/keys/index.ts";
import { nameField, wholeListQuery } from "../fields.ts";
import { presentApiKey } from "../present.ts";
import { projectRoute } from "../routes.ts";

/**
 * The highest rate limit of a key: the limiter stores one hit for each call in the window; ours.
 */
const MAX_RATE_LIMIT_PER_MINUTE = 10_000;

const createBody = z.object({
  name: nameField,
  type: z.enum(API_KEY_TYPES).default("sk"),
  rate_limit_per_minute: z.number().int().min(1).max(MAX_RATE_LIMIT_PER_MINUTE).nullish(),
  capabilities: z.array(z.enum(CAPABILITIES)).min(1).max(CAPABILITIES.length).optional(),
});

export const apiKeyRoutes = [
  projectRoute({
    method: "POST",
    path: "/projects/:id/api-keys",
    auth: "cookie",
    capability: "api_keys:write",
    body: createBody,
    handler: async ({ c, ctx, project, capabilities: held, body }) => {
      const { name, type, capabilities, rate_limit_per_minute: rateLimitPerMinute } = body;
      const input = { name, type, capabilities, rateLimitPerMinute };
      const { row, key } = await createApiKey(ctx, project, input, held);
      return c.json({ ...presentApiKey(row), key }, 201);
    },
  }),
  projectRoute({
    method: "GET",
    path: "/projects/:id/api-keys",
    auth: "cookie",
    capability: "read",
    query: wholeListQuery,
    handler: async ({ c, ctx, project, query }) =>
      c.json({ api_keys: (await listApiKeys(ctx, project, query)).map(presentApiKey) }),
  }),
  projectRoute({
    method: "DELETE",
    path: "/projects/:id/api-keys/:keyId",
    auth: "cookie",
    capability: "api_keys:write",
    handler: async ({ c, ctx, project }) => {
      await revokeApiKey(ctx, project, c.req.param("keyId") ?? "");
      return c.body(null, 204);
    },
  }),
];
