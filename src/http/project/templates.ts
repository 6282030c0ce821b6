import { z } from "zod";
import {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  listSummaries,
  listTemplates,
  updateTemplate,
  type TemplateRow,
  type TemplateSummary,
} from "../../services/templates/index.ts";
import { idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { expectedVersions } from "../entity-tag.ts";
import { subjectField, templateNameField, wholeListQuery } from "../fields.ts";
import { route } from "../route/route.ts";
import { trackingAnswer, trackingField } from "./tracking-fields.ts";
import { changeOf, inCode } from "../in-code.ts";
import { presenterOf, versioned } from "../presenter.ts";

const fields = {
  name: templateNameField,
  subject: subjectField,
  html_body: z.string(),
  text_body: z.string(),
  public: z.boolean(),
  preheader: subjectField,
  tracking: trackingField,
};

const createBody = z
  .object({
    name: fields.name,
    subject: fields.subject.default(""),
    html_body: fields.html_body.default(""),
    text_body: fields.text_body.default(""),
    public: fields.public.default(false),
    preheader: fields.preheader.default(""),
    tracking: fields.tracking.default({}),
  })
  .transform(({ public: isPublic, ...template }) => inCode({ ...template, isPublic }));

const updateBody = changeOf(z.object(fields)).transform(({ public: isPublic, ...change }) =>
  inCode({ ...change, isPublic }),
);

export const templateAnswer = namedAnswer("Template", {
  id: idAnswer,
  project_id: idAnswer,
  name: z.string(),
  subject: z.string().describe("May contain variables."),
  html_body: z.string(),
  text_body: z.string().describe("Empty: generated from the HTML."),
  public: z.boolean().describe("Whether a waitlist call may use the template."),
  preheader: z.string().describe("Shown next to the subject; may contain variables."),
  tracking: trackingAnswer.describe("What replaces the tracking of the project."),
  created_at: timeAnswer,
  updated_at: timeAnswer,
});

const summaryAnswer = templateAnswer
  .omit({ html_body: true, text_body: true })
  .meta({ id: "TemplateSummary" });

const presentWhole = presenterOf(templateAnswer);
const presentPart = presenterOf(summaryAnswer);

const presentTemplate = (template: TemplateRow) =>
  presentWhole({ ...template, public: template.isPublic });

/** Presents a template without its bodies. */
const presentSummary = (template: TemplateSummary) =>
  presentPart({ ...template, public: template.isPublic });

export const answerTemplate = versioned(presentTemplate);

const listQuery = wholeListQuery.extend({ fields: z.enum(["summary"]).optional() });
const duplicateBody = z.object({ name: templateNameField.optional() });

const LIST = "/projects/:id/templates";
const ITEM = "/projects/:id/templates/:templateId";

export const templateRoutes = [
  route({
    auth: "cookie",
    method: "POST",
    path: LIST,
    operation: "projects.templates.create",
    summary: "Creates a template.",
    once: true,
    example: {
      body: { name: "receipt", subject: "Your receipt", html_body: "<p>Hello {{name}}</p>" },
    },
    capability: "templates:write",
    body: createBody,
    namesUnknownFields: true,
    answer: templateAnswer,
    status: 201,
    handle: async ({ c, ctx, project, body }) =>
      answerTemplate(c, await createTemplate(ctx, project, body)),
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: LIST,
    operation: "projects.templates.list",
    summary: "Lists the templates of a project.",
    capability: "read",
    query: listQuery,
    answer: z.union([z.array(templateAnswer), z.array(summaryAnswer)]),
    handle: async ({ ctx, project, query }) =>
      query.fields === "summary"
        ? (await listSummaries(ctx, project, query)).map(presentSummary)
        : (await listTemplates(ctx, project, query)).map(presentTemplate),
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: ITEM,
    operation: "projects.templates.get",
    summary: "Returns a template.",
    capability: "read",
    answer: templateAnswer,
    handle: async ({ c, ctx, project, param }) =>
      answerTemplate(c, await getTemplate(ctx, project, param("templateId"))),
  }),
  route({
    auth: "cookie",
    method: "PUT",
    path: ITEM,
    operation: "projects.templates.update",
    summary: "Changes fields of a template.",
    obeysIfMatch: true,
    example: { body: { subject: "Your receipt, {{name}}" } },
    capability: "templates:write",
    body: updateBody,
    namesUnknownFields: true,
    answer: templateAnswer,
    handle: async ({ c, ctx, project, body, param }) => {
      const expected = expectedVersions(c);
      const id = param("templateId");
      return answerTemplate(c, await updateTemplate(ctx, project, id, body, expected));
    },
  }),
  route({
    auth: "cookie",
    method: "DELETE",
    path: ITEM,
    operation: "projects.templates.delete",
    summary: "Deletes a template.",
    obeysIfMatch: true,
    capability: "templates:write",
    handle: ({ c, ctx, project, param }) =>
      deleteTemplate(ctx, project, param("templateId"), expectedVersions(c)),
  }),
  route({
    auth: "cookie",
    method: "POST",
    path: `${ITEM}/duplicate`,
    operation: "projects.templates.duplicate",
    summary: "Copies a template.",
    once: true,
    example: { body: { name: "receipt copy" } },
    capability: "templates:write",
    body: duplicateBody,
    namesUnknownFields: true,
    answer: templateAnswer,
    status: 201,
    handle: async ({ c, ctx, project, body, param }) =>
      answerTemplate(c, await duplicateTemplate(ctx, project, param("templateId"), body.name)),
  }),
];
