import { z } from "zod";
import { takeWaitlistJoin } from "../../services/limits/index.ts";
import { joinWaitlist, requireWaitlist } from "../../services/subscribers/index.ts";
import { emailField, uuidField } from "../fields.ts";
import { FORM_BODY } from "../form-body.ts";
import { applyStricterVerdict } from "../limit-headers.ts";
import { topicsField } from "../topics-field.ts";
import { turnstileFields, turnstileTokenOf } from "../turnstile-fields.ts";
import { route } from "../route/route.ts";

const joinBody = z.object({
  email: emailField,
  template_id: uuidField.optional(),
  topics: topicsField.optional(),
  ...turnstileFields,
});

/**
 * Routes of the waitlist (API reference §12.3): the only subscriber route open to any web page. A
 * rejected body counts only against the caller's address, never against the project.
 */
export const waitlistRoutes = [
  route({
    auth: "public",
    method: "POST",
    path: "/projects/:id/waitlist",
    operation: "projects.waitlist.join",
    summary: "Adds an address to the waitlist; works from a web page.",
    refusals: [409],
    example: { body: { email: "ann@example.com" } },
    anyOrigin: true,
    body: joinBody,
    bodyTypes: FORM_BODY,
    otherTypes: ["text/html"],
    beforeBadBody: (c) => requireWaitlist(c.var.ctx, c.req.param("id") ?? ""),
    answer: z.strictObject({ message: z.literal("added to waitlist") }),
    handle: async ({ c, ctx, body, param }) => {
      const { email, template_id: templateId, topics } = body;
      const projectId = param("id");
      applyStricterVerdict(c, await takeWaitlistJoin(ctx, projectId));
      const turnstileToken = turnstileTokenOf(body);
      await joinWaitlist(ctx, { projectId, email, templateId, topics, turnstileToken });
      return { message: "added to waitlist" as const };
    },
  }),
];
