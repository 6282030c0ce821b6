import { z } from "zod";
import { SYSTEM_TEMPLATES } from "../../mail/system-templates/index.ts";
import { route } from "../route/route.ts";
import { namedAnswer } from "../answer-fields.ts";

const builtInAnswer = namedAnswer("BuiltInTemplate", {
  name: z.string(),
  subject: z.string(),
  html_body: z.string(),
  text_body: z.string(),
  variables: z.array(
    z.strictObject({ name: z.string(), description: z.string(), required: z.boolean() }),
  ),
});

const presentAll = (): z.input<typeof builtInAnswer>[] =>
  [...SYSTEM_TEMPLATES.values()].map(({ name, subject, htmlBody, textBody, variables }) => ({
    name,
    subject,
    html_body: htmlBody,
    text_body: textBody,
    variables: [...variables],
  }));

export const builtInTemplateRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/built-in-templates",
    operation: "projects.templates.builtIn",
    summary: "Lists the built-in templates with their sources.",
    capability: "read",
    answer: z.strictObject({ templates: z.array(builtInAnswer) }),
    handle: async () => ({ templates: presentAll() }),
  }),
];
