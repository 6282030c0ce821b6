import { z } from "zod";
import { hintNear, LOCATION_HINTS, type Origin } from "../../lib/location-hint.ts";
import type { ProjectRow } from "../../services/access/index.ts";
import {
  createProject,
  listProjects,
  renameProject,
  saveSmtpSettings,
} from "../../services/projects/index.ts";
import { deleteProject } from "../../services/project-removal/index.ts";
import { countAnswer, idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { expectedVersions } from "../entity-tag.ts";
import { descriptionField, nameField, uuidField, wholeListQuery } from "../fields.ts";
import { route } from "../route/route.ts";
import { smtpBody, type ServerBody } from "./smtp-body.ts";
import { inCode } from "../in-code.ts";
import { presenterOf, versioned } from "../presenter.ts";

const fields = { name: nameField, description: descriptionField };

const createBody = z
  .object({
    name: fields.name,
    description: fields.description.default(""),
    workspace_id: uuidField.optional(),
  })
  .transform(inCode);

const updateBody = z.object(fields).partial().transform(inCode);

export const projectAnswer = namedAnswer("Project", {
  id: idAnswer,
  workspace_id: idAnswer,
  name: z.string(),
  description: z.string(),
  from_name: z.string().nullable().describe("Null until SMTP settings are saved."),
  from_email: z
    .string()
    .nullable()
    .describe("Null: the sender is `smtp_user`, if that is an address."),
  smtp_host: z.string().nullable().describe("Null until SMTP settings are saved."),
  smtp_port: countAnswer.nullable(),
  smtp_user: z.string().nullable(),
  fallback: z
    .strictObject({ smtp_host: z.string(), smtp_port: countAnswer, smtp_user: z.string() })
    .nullable(),
  location_hint: z
    .enum(LOCATION_HINTS)
    .nullable()
    .describe("The region in which the project's Durable Object is created."),
  created_at: timeAnswer,
  updated_at: timeAnswer,
});

const serverOf = (body: ServerBody) => ({
  host: body.smtp_host,
  port: body.smtp_port,
  user: body.smtp_user,
  password: body.smtp_password,
});

/** Returns the fallback server of a project, without its password. */
function fallbackOf(project: ProjectRow) {
  const { fallbackHost: smtpHost, fallbackPort: smtpPort, fallbackUser: smtpUser } = project;
  return smtpHost === null || smtpPort === null || smtpUser === null
    ? null
    : { smtpHost, smtpPort, smtpUser };
}

const present = presenterOf(projectAnswer);

/** Presents a project, without its SMTP passwords. */
export const presentProject = (project: ProjectRow) =>
  present({ ...project, fallback: fallbackOf(project) });

/** Presents a project with its ETag. */
const answerProject = versioned(presentProject);

export const projectRoutes = [
  route({
    auth: "user",
    method: "POST",
    path: "/projects",
    operation: "projects.create",
    summary: "Creates a project.",
    once: true,
    refusals: [404],
    example: { body: { name: "Shop", description: "Receipts and news" } },
    body: createBody,
    answer: projectAnswer,
    status: 201,
    handle: async ({ ctx, actor, body }) => presentProject(await createProject(ctx, actor, body)),
  }),
  route({
    auth: "user",
    reach: "any",
    method: "GET",
    path: "/projects",
    operation: "projects.list",
    summary: "Lists the projects that the person created, or all projects of their workspaces.",
    query: wholeListQuery.extend({ scope: z.enum(["own", "all"]).default("own") }),
    answer: z.array(projectAnswer),
    handle: async ({ ctx, actor, query: { scope, ...page } }) =>
      (await listProjects(ctx, actor, scope, page)).map(presentProject),
  }),
  route({
    auth: "cookie",
    method: "GET",
    path: "/projects/:id",
    operation: "projects.get",
    summary: "Returns a project.",
    capability: "read",
    answer: projectAnswer,
    handle: async ({ c, project }) => answerProject(c, project),
  }),
  route({
    auth: "cookie",
    method: "PUT",
    path: "/projects/:id",
    operation: "projects.update",
    summary: "Changes the name or the description of a project.",
    obeysIfMatch: true,
    example: { body: { description: "Receipts" } },
    capability: "projects:write",
    body: updateBody,
    answer: projectAnswer,
    handle: async ({ c, ctx, project, body }) =>
      answerProject(c, await renameProject(ctx, project, body, expectedVersions(c))),
  }),
  route({
    auth: "cookie",
    method: "DELETE",
    path: "/projects/:id",
    operation: "projects.delete",
    summary: "Deletes a project and everything in it.",
    capability: "projects:delete",
    handle: ({ ctx, project }) => deleteProject(ctx, project),
  }),
  route({
    auth: "cookie",
    method: "PUT",
    path: "/projects/:id/smtp",
    operation: "projects.smtp.save",
    summary: "Saves the SMTP settings and the sender of a project.",
    obeysIfMatch: true,
    example: {
      body: {
        smtp_host: "smtp.example.com",
        smtp_port: 587,
        smtp_user: "shop",
        smtp_password: "secret",
        from_name: "Shop",
        from_email: "shop@example.com",
      },
    },
    capability: "projects:write",
    body: smtpBody,
    answer: projectAnswer,
    handle: async ({ c, ctx, project, body }) => {
      const settings = {
        ...serverOf(body),
        fallback: body.fallback && serverOf(body.fallback),
        fromName: body.from_name,
        fromEmail: body.from_email,
        locationHint: body.location_hint,
        near: hintNear((c.req.raw.cf ?? {}) as Origin), // set by the runtime, but untyped
      };
      return answerProject(c, await saveSmtpSettings(ctx, project, settings, expectedVersions(c)));
    },
  }),
];
