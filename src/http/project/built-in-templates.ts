import { z } from "zod";
import { branded, SYSTEM_TEMPLATES } from "../../mail/system-templates/index.ts";
import { mailSettingsOf } from "../../services/projects/index.ts";
import { route } from "../route/route.ts";
import { namedAnswer } from "../answer-fields.ts";
import { presenterOf } from "../presenter.ts";

const builtInAnswer = namedAnswer("BuiltInTemplate", {
  name: z.string(),
  subject: z.string(),
  html_body: z.string(),
  text_body: z.string(),
  variables: z.array(
    z.strictObject({ name: z.string(), description: z.string(), required: z.boolean() }),
  ),
});

const present = presenterOf(builtInAnswer);

export const builtInTemplateRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id/built-in-templates",
    operation: "projects.templates.builtIn",
    summary: "Lists the built-in templates with their sources.",
    capability: "read",
    answer: z.strictObject({ templates: z.array(builtInAnswer) }),
    handle: async ({ project }) => {
      const { brand } = mailSettingsOf(project);
      const templates = [...SYSTEM_TEMPLATES.values()].map((one) => present(branded(one, brand)));
      return { templates };
    },
  }),
];
