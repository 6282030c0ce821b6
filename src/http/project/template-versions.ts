import { z } from "zod";
import { getVersion, listVersions, restoreVersion } from "../../services/templates/index.ts";
import { idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { expectedVersions } from "../entity-tag.ts";
import { wholeListQuery } from "../fields.ts";
import { route } from "../route/route.ts";
import { answerTemplate, templateAnswer } from "./templates.ts";
import { presenterOf } from "../presenter.ts";

const summaryAnswer = namedAnswer("TemplateVersion", {
  id: idAnswer,
  template_id: idAnswer,
  name: z.string(),
  subject: z.string(),
  saved_at: timeAnswer.describe("The `updated_at` of the template in this state."),
});

const versionAnswer = summaryAnswer.extend({
  html_body: z.string(),
  text_body: z.string(),
  preheader: z.string(),
});

/** Presents an earlier version of a template, in a list and alone. */
const presentSummary = presenterOf(summaryAnswer);
const presentVersion = presenterOf(versionAnswer);

const LIST = "/projects/:id/templates/:templateId/versions";

export const templateVersionRoutes = [
  route({
    auth: "cookie",
    method: "GET",
    path: LIST,
    operation: "projects.templates.versions.list",
    summary: "Lists the earlier versions of a template.",
    capability: "read",
    query: wholeListQuery,
    answer: z.strictObject({ versions: z.array(summaryAnswer) }),
    handle: async ({ ctx, project, query, param }) => {
      const versions = await listVersions(ctx, project, param("templateId"), query);
      return { versions: versions.map(presentSummary) };
    },
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: `${LIST}/:versionId`,
    operation: "projects.templates.versions.get",
    summary: "Returns an earlier version of a template.",
    capability: "read",
    answer: versionAnswer,
    handle: async ({ ctx, project, param }) =>
      presentVersion(await getVersion(ctx, project, param("templateId"), param("versionId"))),
  }),
  route({
    auth: "cookie",
    method: "POST",
    path: `${LIST}/:versionId/restore`,
    operation: "projects.templates.versions.restore",
    summary: "Restores the content of an earlier version.",
    once: true,
    refusals: [409],
    obeysIfMatch: true,
    capability: "templates:write",
    answer: templateAnswer,
    handle: async ({ c, ctx, project, param }) => {
      const [id, version] = [param("templateId"), param("versionId")];
      const expected = expectedVersions(c);
      return answerTemplate(c, await restoreVersion(ctx, project, id, version, expected));
    },
  }),
];
