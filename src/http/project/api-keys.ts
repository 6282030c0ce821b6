import { z } from "zod";
import { API_KEY_TYPES } from "../../db/schema/index.ts";
import { CAPABILITIES, isTestPrefix, keyCapabilities } from "../../services/access/index.ts";
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  type ListedKey,
} from "../../services/keys/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { fault } from "../fault.ts";
import { nameField, wholeListQuery } from "../fields.ts";
import { route } from "../route/route.ts";
import { presenterOf } from "../presenter.ts";

/**
 * Maximum rate limit of a key; our own choice: the limiter stores one hit per call in the window.
 */
const MAX_RATE_LIMIT_PER_MINUTE = 10_000;

const createBody = z
  .object({
    name: nameField,
    type: z.enum(API_KEY_TYPES).default("sk"),
    rate_limit_per_minute: z.number().int().min(1).max(MAX_RATE_LIMIT_PER_MINUTE).nullish(),
    capabilities: z.array(z.enum(CAPABILITIES)).min(1).max(CAPABILITIES.length).optional(),
    test: z
      .boolean()
      .default(false)
      .describe("True for a test key (`sk_test_…`), whose emails reach no server."),
    resend: z
      .boolean()
      .default(false)
      .describe("True for a key that begins with `re_`, for programs that check it."),
  })
  .refine(({ test, type }) => !test || type === "sk", {
    path: ["test"],
    message: fault("needs_field", { field: "type sk" }),
  })
  .refine(({ resend, test, type }) => !resend || (type === "sk" && !test), {
    path: ["resend"],
    message: fault("needs_field", { field: "type sk" }),
  });

const apiKeyAnswer = namedAnswer("ApiKey", {
  id: idAnswer,
  name: z.string(),
  type: z.enum(API_KEY_TYPES),
  prefix: z.string().describe("The type and the first 6 characters of the secret."),
  test: z.boolean().describe("Whether it is a test key, whose emails reach no server."),
  capabilities: z.array(z.enum(CAPABILITIES)),
  created_by: idAnswer.describe("The person who created the key."),
  created_by_name: z.string().nullable(),
  created_by_email: z.string().nullable(),
  created_by_member: z
    .boolean()
    .describe("Whether that person is still a member of the workspace."),
  rate_limit_per_minute: countAnswer.nullable().describe("Null: the limits of the project."),
  created_at: timeAnswer,
  last_used_at: timeAnswer.nullable().describe("Written at most once a minute."),
});

const present = presenterOf(apiKeyAnswer);

/** Presents an API key. The response to a create adds the key itself. */
const presentApiKey = (key: ListedKey) =>
  present({ ...key, capabilities: keyCapabilities(key), test: isTestPrefix(key.prefix) });

export const apiKeyRoutes = [
  route({
    auth: "cookie",
    method: "POST",
    path: "/projects/:id/api-keys",
    operation: "projects.apiKeys.create",
    summary: "Creates an API key; only this response shows it.",
    once: true,
    example: { body: { name: "Shop server", type: "sk" } },
    capability: "api_keys:write",
    body: createBody,
    answer: apiKeyAnswer.extend({ key: z.string() }),
    status: 201,
    handle: async ({ ctx, project, capabilities: held, body }) => {
      const { name, type, capabilities, test: isTest, resend: isForResend } = body;
      const rateLimitPerMinute = body.rate_limit_per_minute;
      const input = { name, type, capabilities, rateLimitPerMinute, isTest, isForResend };
      const { row, key } = await createApiKey(ctx, project, input, held);
      return { ...presentApiKey(row), key };
    },
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/api-keys",
    operation: "projects.apiKeys.list",
    summary: "Lists the API keys of a project.",
    capability: "read",
    query: wholeListQuery,
    answer: z.strictObject({ api_keys: z.array(apiKeyAnswer) }),
    handle: async ({ ctx, project, query }) => ({
      api_keys: (await listApiKeys(ctx, project, query)).map(presentApiKey),
    }),
  }),
  route({
    auth: "cookie",
    method: "DELETE",
    path: "/projects/:id/api-keys/:keyId",
    operation: "projects.apiKeys.revoke",
    summary: "Revokes an API key.",
    capability: "api_keys:write",
    handle: ({ ctx, project, param }) => revokeApiKey(ctx, project, param("keyId")),
  }),
];
