import { z } from "zod";
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from "../../services/templates/index.ts";
import { nameField, subjectField, wholeListQuery } from "../fields.ts";
import { presentTemplate } from "../present.ts";
import { projectRoute } from "../routes.ts";

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

const ITEM = "/projects/:id/templates/:templateId";

export const templateRoutes = [
  projectRoute({
    method: "POST",
    path: "/projects/:id/templates",
    auth: "cookie",
    capability: "templates:write",
    body: createBody,
    handler: async ({ c, ctx, project, body }) => {
      const { name, subject, html_body: htmlBody, text_body: textBody, public: isPublic } = body;
      const input = { name, subject, htmlBody, textBody, isPublic };
      const template = await createTemplate(ctx, project, input);
      return c.json(presentTemplate(template), 201);
    },
  }),
  projectRoute({
    method: "GET",
    path: "/projects/:id/templates",
    auth: "cookie",
    capability: "read",
    query: wholeListQuery,
    handler: async ({ c, ctx, project, query }) =>
      c.json((await listTemplates(ctx, project, query)).map(presentTemplate)),
  }),
  projectRoute({
    method: "GET",
    path: ITEM,
    auth: "cookie",
    capability: "read",
    handler: async ({ c, ctx, project }) =>
      c.json(presentTemplate(await getTemplate(ctx, project, c.req.param("templateId") ?? ""))),
  }),
  projectRoute({
    method: "PUT",
    path: ITEM,
    auth: "cookie",
    capability: "templates:write",
    body: updateBody,
    handler: async ({ c, ctx, project, body }) => {
      const change = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.subject === undefined ? {} : { subject: body.subject }),
        ...(body.html_body === undefined ? {} : { htmlBody: body.html_body }),
        ...(body.text_body === undefined ? {} : { textBody: body.text_body }),
        ...(body.public === undefined ? {} : { isPublic: body.public }),
      };
      const id = c.req.param("templateId") ?? "";
      return c.json(presentTemplate(await updateTemplate(ctx, project, id, change)));
    },
  }),
  projectRoute({
    method: "DELETE",
    path: ITEM,
    auth: "cookie",
    capability: "templates:write",
    handler: async ({ c, ctx, project }) => {
      await deleteTemplate(ctx, project, c.req.param("templateId") ?? "");
      return c.body(null, 204);
    },
  }),
];
