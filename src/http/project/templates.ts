import { z } from "zod";
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
  type TemplateRow,
} from "../../services/templates/index.ts";
import { idAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { nameField, subjectField, wholeListQuery } from "../fields.ts";
import { route } from "../route/route.ts";

const createBody = z.object({
  name: nameField,
  subject: subjectField.default(""),
  html_body: z.string().default(""),
  text_body: z.string().default(""),
  public: z.boolean().default(false),
});

const updateBody = z
  .object({
    name: nameField.optional(),
    subject: subjectField.optional(),
    html_body: z.string().optional(),
    text_body: z.string().optional(),
    public: z.boolean().optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    message: "name, subject, html_body, text_body or public is required",
  });

const templateAnswer = z.strictObject({
  id: idAnswer,
  project_id: idAnswer,
  name: z.string(),
  subject: z.string(),
  html_body: z.string(),
  text_body: z.string(),
  public: z.boolean(),
  created_at: timeAnswer,
  updated_at: timeAnswer,
});

/** Presents a template (API reference §5.2). */
function presentTemplate(template: TemplateRow): z.input<typeof templateAnswer> {
  return {
    id: template.id,
    project_id: template.projectId,
    name: template.name,
    subject: template.subject,
    html_body: template.htmlBody,
    text_body: template.textBody,
    public: template.isPublic,
    created_at: timestamp(template.createdAt),
    updated_at: timestamp(template.updatedAt),
  };
}

const LIST = "/projects/:id/templates";
const ITEM = "/projects/:id/templates/:templateId";

export const templateRoutes = [
  route({
    auth: "cookie",
    method: "POST",
    path: LIST,
    capability: "templates:write",
    body: createBody,
    answer: templateAnswer,
    status: 201,
    handle: async ({ ctx, project, body }) => {
      const { name, subject, html_body: htmlBody, text_body: textBody, public: isPublic } = body;
      const input = { name, subject, htmlBody, textBody, isPublic };
      return presentTemplate(await createTemplate(ctx, project, input));
    },
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: LIST,
    capability: "read",
    query: wholeListQuery,
    answer: z.array(templateAnswer),
    handle: async ({ ctx, project, query }) =>
      (await listTemplates(ctx, project, query)).map(presentTemplate),
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: ITEM,
    capability: "read",
    answer: templateAnswer,
    handle: async ({ ctx, project, param }) =>
      presentTemplate(await getTemplate(ctx, project, param("templateId"))),
  }),
  route({
    auth: "cookie",
    method: "PUT",
    path: ITEM,
    capability: "templates:write",
    body: updateBody,
    answer: templateAnswer,
    handle: async ({ ctx, project, body, param }) => {
      const change = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.subject === undefined ? {} : { subject: body.subject }),
        ...(body.html_body === undefined ? {} : { htmlBody: body.html_body }),
        ...(body.text_body === undefined ? {} : { textBody: body.text_body }),
        ...(body.public === undefined ? {} : { isPublic: body.public }),
      };
      return presentTemplate(await updateTemplate(ctx, project, param("templateId"), change));
    },
  }),
  route({
    auth: "cookie",
    method: "DELETE",
    path: ITEM,
    capability: "templates:write",
    handle: ({ ctx, project, param }) => deleteTemplate(ctx, project, param("templateId")),
  }),
];
