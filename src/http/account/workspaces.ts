import { z } from "zod";
import { ROLES } from "../../db/schema/index.ts";
import { deletedProject } from "../../services/audit/index.ts";
import {
  createWorkspace,
  deleteWorkspace,
  renameWorkspace,
  selectProjectsOf,
  selectWorkspacesOfSession,
} from "../../services/workspaces/index.ts";
import { idAnswer, namedAnswer, timeAnswer } from "../answer-fields.ts";
import { expectedVersions } from "../entity-tag.ts";
import { nameField, wholeListQuery } from "../fields.ts";
import { auditPageAnswer, presentAuditPage, workspaceAuditQuery } from "../project/audit-log.ts";
import { presentProject, projectAnswer } from "../project/projects.ts";
import { route } from "../route/route.ts";
import { presenterOf, versioned } from "../presenter.ts";

const nameBody = z.object({ name: nameField });

const ITEM = "/workspaces/:id";

const workspaceAnswer = namedAnswer("Workspace", {
  id: idAnswer,
  name: z.string(),
  created_by: idAnswer,
  created_at: timeAnswer,
  updated_at: timeAnswer,
});

const presentWorkspace = presenterOf(workspaceAnswer);

const answerWorkspace = versioned(presentWorkspace);

export const workspaceRoutes = [
  route({
    auth: "user",
    method: "GET",
    path: "/workspaces",
    operation: "workspaces.list",
    summary: "Lists the workspaces of the person.",
    query: wholeListQuery,
    answer: z.strictObject({ workspaces: z.array(workspaceAnswer) }),
    reads: ({ deps: { db }, tokenHash, query }) => [
      selectWorkspacesOfSession(db, tokenHash, query),
    ],
    handle: async ({ reads: [workspaces] }) => ({ workspaces: workspaces.map(presentWorkspace) }),
  }),
  route({
    auth: "user",
    method: "POST",
    path: "/workspaces",
    operation: "workspaces.create",
    summary: "Creates a workspace.",
    once: true,
    example: { body: { name: "Example Inc" } },
    body: nameBody,
    answer: workspaceAnswer.extend({ role: z.enum(ROLES) }),
    status: 201,
    handle: async ({ c, ctx, actor, body }) => {
      const workspace = await createWorkspace(ctx, actor, body);
      return { ...answerWorkspace(c, workspace), role: "owner" as const };
    },
  }),
  route({
    auth: "workspace",
    method: "GET",
    path: ITEM,
    operation: "workspaces.get",
    summary: "Returns a workspace.",
    capability: "read",
    answer: workspaceAnswer,
    handle: async ({ c, workspace }) => answerWorkspace(c, workspace),
  }),
  route({
    auth: "workspace",
    method: "PATCH",
    path: ITEM,
    operation: "workspaces.rename",
    summary: "Renames a workspace.",
    obeysIfMatch: true,
    example: { body: { name: "Example Ltd" } },
    capability: "workspace:write",
    body: nameBody,
    answer: workspaceAnswer,
    handle: async ({ c, ctx, actor, workspace, body }) =>
      answerWorkspace(c, await renameWorkspace(ctx, actor, workspace, body, expectedVersions(c))),
  }),
  route({
    auth: "workspace",
    method: "DELETE",
    path: ITEM,
    operation: "workspaces.delete",
    summary: "Deletes a workspace without projects.",
    refusals: [409],
    capability: "workspace:write",
    handle: ({ ctx, actor, workspace }) => deleteWorkspace(ctx, actor, workspace),
  }),
  route({
    auth: "workspace",
    method: "GET",
    path: `${ITEM}/projects`,
    operation: "workspaces.projects.list",
    summary: "Lists the projects of a workspace.",
    capability: "read",
    query: wholeListQuery,
    answer: z.array(projectAnswer),
    reads: ({ deps: { db }, workspaceId, query }) => [selectProjectsOf(db, workspaceId, query)],
    handle: async ({ reads: [projects] }) => projects.map(presentProject),
  }),
  route({
    auth: "workspace",
    method: "GET",
    path: `${ITEM}/audit-log`,
    operation: "workspaces.auditLog.list",
    summary: "Lists the audit entries of a workspace.",
    capability: "audit:read",
    license: "audit log",
    query: workspaceAuditQuery,
    answer: auditPageAnswer,
    handle: ({ ctx, workspace, query: { deleted_project: gone, ...query } }) =>
      presentAuditPage(
        ctx,
        gone === undefined ? workspace.id : deletedProject(workspace.id, gone),
        query,
      ),
  }),
];
