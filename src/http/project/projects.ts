import { z } from "zod";
import {
  createProject,
  listProjects,
  renameProject,
  saveSmtpSettings,
} from "../../services/projects/index.ts";
import { deleteProject } from "../../services/project-removal/index.ts";
import {
  clearableEmailField,
  commandField,
  descriptionField,
  nameField,
  personField,
  storedPasswordField,
  uuidField,
  wholeListQuery,
} from "../fields.ts";
import { presentProject } from "../present.ts";
import { projectRoute, userRoute } from "../routes.ts";

const createBody = z.object({
  name: nameField,
  description: descriptionField.default(""),
  workspace_id: uuidField.optional(),
});

const updateBody = z
  .object({ name: nameField.optional(), description: descriptionField.optional() })
  .refine((body) => body.name !== undefined || body.description !== undefined, {
    message: "name or description is required",
  });

const smtpBody = z.object({
  smtp_host: z.string().trim().min(1, "is required").max(253),
  smtp_port: z.number().int().min(1).max(65_535),
  smtp_user: commandField(320).min(1, "is required"),
  smtp_password: storedPasswordField,
  from_name: personField.optional(),
  from_email: clearableEmailField.optional(),
});

export const projectRoutes = [
  userRoute({
    method: "POST",
    path: "/projects",
    body: createBody,
    handler: async ({ c, ctx, actor, body }) => {
      const { name, description, workspace_id: workspaceId } = body;
      const project = await createProject(ctx, actor, { name, description, workspaceId });
      return c.json(presentProject(project), 201);
    },
  }),
  userRoute({
    method: "GET",
    path: "/projects",
    query: wholeListQuery,
    handler: async ({ c, ctx, actor, query }) =>
      c.json((await listProjects(ctx, actor, query)).map(presentProject)),
  }),
  projectRoute({
    method: "GET",
    path: "/projects/:id",
    auth: "cookie",
    capability: "read",
    handler: async ({ c, project }) => c.json(presentProject(project)),
  }),
  projectRoute({
    method: "PUT",
    path: "/projects/:id",
    auth: "cookie",
    capability: "projects:write",
    body: updateBody,
    handler: async ({ c, ctx, project, body }) => {
      const change = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.description === undefined ? {} : { description: body.description }),
      };
      return c.json(presentProject(await renameProject(ctx, project, change)));
    },
  }),
  projectRoute({
    method: "DELETE",
    path: "/projects/:id",
    auth: "cookie",
    capability: "projects:delete",
    handler: async ({ c, ctx, project }) => {
      await deleteProject(ctx, project);
      return c.body(null, 204);
    },
  }),
  projectRoute({
    method: "PUT",
    path: "/projects/:id/smtp",
    auth: "cookie",
    capability: "projects:write",
    body: smtpBody,
    handler: async ({ c, ctx, project, body }) => {
      const saved = await saveSmtpSettings(ctx, project, {
        host: body.smtp_host,
        port: body.smtp_port,
        user: body.smtp_user,
        password: body.smtp_password,
        fromName: body.from_name,
        fromEmail: body.from_email,
      });
      return c.json(presentProject(saved));
    },
  }),
];
