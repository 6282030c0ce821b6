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
import { idAnswer, namedAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { expectedVersions, setVersion } from "../entity-tag.ts";
import { subjectField, templateNameField, wholeListQuery } from "../fields.ts";
import type { HttpContext } from "../http-env.ts";
import { route } from "../route/route.ts";
import { fault } from "../fault.ts";

const createBody = z.object({
  name: templateNameField,
  subject: subjectField.default(""),
  html_body: z.string().default(""),
  text_body: z.string().default(""),
  public: z.boolean().default(false),
});

const updateBody = z
  .object({
    name: templateNameField.optional(),
    subject: subjectField.optional(),
    html_body: z.string().optional(),
    text_body: z.string().optional(),
    public: z.boolean().optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    message: fault("one_of", { fields: "name, subject, html_body, text_body, public" }),
  });

export const templateAnswer = namedAnswer("Template", {
  id: idAnswer,
  project_id: idAnswer,
  name: z.string(),
  subject: z.string().describe("May contain variables."),
  html_body: z.string(),
  text_body: z.string().describe("Empty: generated from the HTML."),
  public: z.boolean().describe("Whether a waitlist call may use the template."),
  created_at: timeAnswer,
  updated_at: timeAnswer,
});

const summaryAnswer = templateAnswer
  .omit({ html_body: true, text_body: true })
  .meta({ id: "TemplateSummary" });

/** Presents a template without its bodies. */
function presentSummary(template: TemplateSummary): z.input<typeof summaryAnswer> {
  return {
    id: template.id,
    project_id: template.projectId,
    name: template.name,
    subject: template.subject,
    public: template.isPublic,
    created_at: timestamp(template.createdAt),
    updated_at: timestamp(template.updatedAt),
  };
}

function presentTemplate(template: TemplateRow): z.input<typeof templateAnswer> {
  const { htmlBody: html_body, textBody: text_body } = template;
  return { ...presentSummary(template), html_body, text_body };
}

/** Presents a template with its ETag. */
export function answerTemplate(c: HttpContext, template: TemplateRow) {
  setVersion(c, template.updatedAt);
  return presentTemplate(template);
}

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
    answer: templateAnswer,
    status: 201,
    handle: async ({ c, ctx, project, body }) => {
      const { name, subject, html_body: htmlBody, text_body: textBody, public: isPublic } = body;
      const input = { name, subject, htmlBody, textBody, isPublic };
      return answerTemplate(c, await createTemplate(ctx, project, input));
    },
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
    answer: templateAnswer,
    handle: async ({ c, ctx, project, body, param }) => {
      const change = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.subject === undefined ? {} : { subject: body.subject }),
        ...(body.html_body === undefined ? {} : { htmlBody: body.html_body }),
        ...(body.text_body === undefined ? {} : { textBody: body.text_body }),
        ...(body.public === undefined ? {} : { isPublic: body.public }),
      };
      const expected = expectedVersions(c);
      const id = param("templateId");
      return answerTemplate(c, await updateTemplate(ctx, project, id, change, expected));
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
    answer: templateAnswer,
    status: 201,
    handle: async ({ c, ctx, project, body, param }) =>
      answerTemplate(c, await duplicateTemplate(ctx, project, param("templateId"), body.name)),
  }),
];
