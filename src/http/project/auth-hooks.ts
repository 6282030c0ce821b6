import { z } from "zod";
import { HOOK_ACTIONS, HOOK_SERVICES, type HookService } from "../../db/schema/index.ts";
import { notFound } from "../../errors.ts";
import { readHook, rotateHook, saveHook, selectHook } from "../../services/auth-hooks/index.ts";
import { namedAnswer, timeAnswer } from "../answer-fields.ts";
import { commandField, uuidField } from "../fields.ts";
import { changeOf } from "../in-code.ts";
import { messageAnswer } from "../message-answer.ts";
import { presenterOf } from "../presenter.ts";
import { route } from "../route/route.ts";
import { EXAMPLE_IDS } from "../route/words.ts";

const PATH = "/projects/:id/auth-hooks/:service";

const templatesField = z
  .partialRecord(z.enum(HOOK_ACTIONS), uuidField)
  .describe("Templates by `email_action_type` of Supabase; the others are built in.");

const hookBody = changeOf(
  z.strictObject({
    secret: commandField(500)
      .trim()
      .describe("The secret with which the service signs; empty to accept no call."),
    templates: templatesField,
  }),
);

const hookAnswer = namedAnswer("AuthHook", {
  url: z.string().describe("Contains the current token."),
  has_secret: z.boolean().describe("Without a secret, every call is refused."),
  templates: templatesField,
  last_called_at: timeAnswer.nullable(),
  last_error: messageAnswer.nullable().describe("Why the last call failed."),
});

const present = presenterOf(hookAnswer);

function serviceIn(name: string): HookService {
  const found = HOOK_SERVICES.find((one) => one === name);
  if (!found) throw notFound("hook");
  return found;
}

/** Routes of the hooks of authentication services (docs/hooks.md). */
export const authHookRoutes = [
  route({
    auth: "cookie_or_key",
    method: "GET",
    path: PATH,
    operation: "projects.authHooks.get",
    summary: "Returns the hook by which an authentication service sends its emails.",
    refusals: [404],
    capability: "projects:write", // a reader of the URL has the token
    answer: hookAnswer,
    reads: ({ deps: { db }, projectId, param }) => [
      selectHook(db, projectId, param("service") as HookService), // no row of another service
    ],
    handle: async ({ ctx, project, param, reads }) =>
      present(await readHook(ctx, project, serviceIn(param("service")), reads[0])),
  }),
  route({
    auth: "cookie_or_key",
    method: "PUT",
    path: PATH,
    operation: "projects.authHooks.save",
    summary: "Changes the hook by which an authentication service sends its emails.",
    refusals: [404],
    example: {
      body: {
        secret: "v1,whsec_c2VjcmV0LW9mLXRoZS1leGFtcGxl",
        templates: { signup: EXAMPLE_IDS.template },
      },
    },
    capability: "projects:write",
    body: hookBody,
    answer: hookAnswer,
    handle: async ({ ctx, project, param, body }) =>
      present(await saveHook(ctx, project, serviceIn(param("service")), body)),
  }),
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: `${PATH}/rotate`,
    operation: "projects.authHooks.rotate",
    summary: "Replaces the token in the URL of a hook.",
    refusals: [404],
    once: true,
    capability: "projects:write",
    answer: hookAnswer,
    handle: async ({ ctx, project, param }) =>
      present(await rotateHook(ctx, project, serviceIn(param("service")))),
  }),
];
