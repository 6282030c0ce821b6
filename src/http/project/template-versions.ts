import { z } from "zod";
import {
  getVersion,
  listVersions,
  restoreVersion,
  type VersionSummary,
} from "../../services/templates/index.ts";
import { idAnswer, namedAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { expectedVersions } from "../entity-tag.ts";
import { wholeListQuery } from "../fields.ts";
import { route } from "../route/route.ts";
import { answerTemplate, templateAnswer } from "./templates.ts";

const summaryAnswer = namedAnswer("TemplateVersion", {
  id: idAnswer,
  template_id: idAnswer,
  name: z.string(),
  subject: z.string(),
  saved_at: timeAnswer.describe("The `updated_at` of the template in this state."),
});

const versionAnswer = summaryAnswer.extend({ html_body: z.string(), text_body: z.string() });

/** Presents an earlier version of a template. */
function presentVersion(version: VersionSummary): z.input<typeof summaryAnswer> {
  return {
    id: version.id,
    template_id: version.templateId,
    name: version.name,
    subject: version.subject,
    saved_at: timestamp(version.savedAt),
  };
}

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
      return { versions: versions.map(presentVersion) };
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
    handle: async ({ ctx, project, param }) => {
      const version = await getVersion(ctx, project, param("templateId"), param("versionId"));
      const { htmlBody: html_body, textBody: text_body } = version;
      return { ...presentVersion(version), html_body, text_body };
    },
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
