import { z } from "zod";
import { selectProjectBroadcast } from "../../services/broadcasts/index.ts";
import { testReads } from "../../services/mailing/index.ts";
import { testDraft } from "../../services/preflight/index.ts";
import { route } from "../route/route.ts";
import { finishAnyway } from "./send.ts";
import { presentTest, testAnswer, testFields } from "./test-body.ts";
import { fault } from "../fault.ts";

const draftTestBody = z.object({
  ...testFields,
  variant: z
    .string()
    .regex(/^[A-E]$/, fault("not_variant"))
    .optional(),
});

function recipientsOf({ to, subscriber_id: subscriberId }: z.output<typeof draftTestBody>) {
  return { to, subscriberId };
}

/** Route of a draft's test send (API reference §11.11). */
export const draftTestRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/broadcasts/:broadcastId/test",
    operation: "projects.broadcasts.test",
    summary: "Sends the email of a draft to up to five addresses.",
    once: true,
    refusals: [409, 422],
    example: { body: { to: ["ann@example.com"] } },
    capability: "send:transactional",
    limit: "template_test",
    body: draftTestBody,
    answer: testAnswer,
    reads: ({ deps, projectId, body, param }) =>
      [
        selectProjectBroadcast(deps.db, projectId, param("broadcastId")),
        ...testReads(deps, projectId, recipientsOf(body)),
      ] as const,
    handle: async ({ ctx, project, body, reads: [[draft], ...reads] }) => {
      const test = { ...recipientsOf(body), variant: body.variant };
      return presentTest(await finishAnyway(ctx, testDraft(ctx, project, draft, test, reads)));
    },
  }),
];
