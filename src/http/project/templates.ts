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
});

const updateBody = z
  .object({
    name: nameField.optional(),
    subject: subjectField.optional(),
    html_body: z.string().optional(),
    text_body: z.string().optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    message: "name, subject, html_body or text_body is required",
  });

const ITEM = "/projects/:id/templates/:templateId";

export const templateRoutes = [
  projectRoute({
    method: "POST",
    path: "/projects/:id/templates",
    doors: "cookie",
    capability: "templates:write",
    body: createBody,
    handler: async ({ c, ctx, project, body }) => {
      const { name, subject, html_body: htmlBody, text_body: textBody } = body;
      const template = await createTemplate(ctx, project, { name, subject, htmlBody, textBody });
      return c.json(presentTemplate(template), 201);
    },
  }),
  projectRoute({
    method: "GET",
    path: "/projects/:id/templates",
    doors: "cookie",
    capability: "read",
    query: wholeListQuery,
    handler: async ({ c, ctx, project, query }) =>
      c.json((await listTemplates(ctx, project, query)).map(presentTemplate)),
  }),
  projectRoute({
    method: "GET",
    path: ITEM,
    doors: "cookie",
    capability: "read",
    handler: async ({ c, ctx, project }) =>
      c.json(presentTemplate(await getTemplate(ctx, project, c.req.param("templateId") ?? ""))),
  }),
  projectRoute({
    method: "PUT",
    path: ITEM,
    doors: "cookie",
    capability: "templates:write",
    body: updateBody,
    handler: async ({ c, ctx, project, body }) => {
      const change = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.subject === undefined ? {} : { subject: body.subject }),
        ...(body.html_body === undefined ? {} : { htmlBody: body.html_body }),
        ...(body.text_body === undefined ? {} : { textBody: body.text_body }),
      };
      const id = c.req.param("templateId") ?? "";
      return c.json(presentTemplate(await updateTemplate(ctx, project, id, change)));
    },
  }),
  projectRoute({
    method: "DELETE",
    path: ITEM,
    doors: "cookie",
    capability: "templates:write",
    handler: async ({ c, ctx, project }) => {
      await deleteTemplate(ctx, project, c.req.param("templateId") ?? "");
      return c.body(null, 204);
    },
  }),
];
