import { z } from "zod";
import { ROLES } from "../../db/schema/index.ts";
import {
  addMember,
  changeRole,
  createUser,
  createWorkspace,
  deleteWorkspace,
  removeMember,
  renameWorkspace,
  selectMembers,
  selectPerson,
  selectProjectsOf,
  selectWorkspacesOfSession,
} from "../../services/workspaces/index.ts";
import type { Statement } from "../../db/client.ts";
import type { Page } from "../../lib/page.ts";
import { emailField, nameField, wholeListQuery } from "../fields.ts";
import { givenQuery } from "../given.ts";
import type { HttpContext } from "../http-env.ts";
import { presentMember, presentProject, presentWorkspace } from "../present.ts";
import { auditQuery, presentAuditPage } from "../project/audit-log.ts";
import { userRoute, workspaceRoute } from "../routes.ts";
import { newPassword } from "./auth.ts";

const nameBody = z.object({ name: nameField });
const roleField = z.enum(ROLES);
const newRoleField = roleField.default("member");
const memberBody = z.object({ email: emailField, role: newRoleField });
const userBody = z.object({
  email: emailField,
  name: nameField,
  password: newPassword,
  role: newRoleField,
});
const roleBody = z.object({ role: roleField });

const ITEM = "/workspaces/:id";
const MEMBERS = "/workspaces/:id/members";
const MEMBER = "/workspaces/:id/members/:userId";

/** Returns the read of the requested page, or none for an invalid query. */
function pageRead<S extends Statement>(
  c: HttpContext,
  select: (page: Page) => S,
): readonly [] | readonly [S] {
  const page = wholeListQuery.safeParse(givenQuery(c));
  return page.success ? [select(page.data)] : [];
}

export const workspaceRoutes = [
  userRoute({
    method: "GET",
    path: "/workspaces",
    query: wholeListQuery,
    reads: (c, { db }, tokenHash) =>
      pageRead(c, (page) => selectWorkspacesOfSession(db, tokenHash, page)),
    handler: async ({ c, reads: [workspaces = []] }) =>
      c.json({ workspaces: workspaces.map(presentWorkspace) }),
  }),
  userRoute({
    method: "POST",
    path: "/workspaces",
    body: nameBody,
    handler: async ({ c, ctx, actor, body }) => {
      const workspace = await createWorkspace(ctx, actor, body);
      return c.json({ ...presentWorkspace(workspace), role: "owner" }, 201);
    },
  }),
  workspaceRoute({
    method: "PATCH",
    path: ITEM,
    capability: "workspace:write",
    body: nameBody,
    handler: async ({ c, ctx, actor, workspace, body }) =>
      c.json(presentWorkspace(await renameWorkspace(ctx, actor, workspace, body))),
  }),
  workspaceRoute({
    method: "DELETE",
    path: ITEM,
    capability: "workspace:write",
    handler: async ({ c, ctx, actor, workspace }) => {
      await deleteWorkspace(ctx, actor, workspace);
      return c.body(null, 204);
    },
  }),
  workspaceRoute({
    method: "GET",
    path: "/workspaces/:id/projects",
    capability: "read",
    query: wholeListQuery,
    reads: (c, { db }, workspaceId) =>
      pageRead(c, (page) => selectProjectsOf(db, workspaceId, page)),
    handler: async ({ c, reads: [projects = []] }) => c.json(projects.map(presentProject)),
  }),
  workspaceRoute({
    method: "GET",
    path: MEMBERS,
    capability: "read",
    query: wholeListQuery,
    reads: (c, { db }, workspaceId) => pageRead(c, (page) => selectMembers(db, workspaceId, page)),
    handler: async ({ c, reads: [members = []] }) =>
      c.json({ members: members.map(presentMember) }),
  }),
  workspaceRoute({
    method: "POST",
    path: MEMBERS,
    capability: "members:write",
    license: "workspace members",
    body: memberBody,
    reads: (_c, { db }, _workspaceId, body) => [selectPerson(db, body.email)],
    handler: async ({ c, ctx, actor, workspace, reads: [people], body }) => {
      const input = { people, role: body.role };
      return c.json(presentMember(await addMember(ctx, actor, workspace, input)), 201);
    },
  }),
  workspaceRoute({
    method: "POST",
    path: "/workspaces/:id/users",
    capability: "members:write",
    license: "workspace members",
    body: userBody,
    handler: async ({ c, ctx, actor, workspace, body }) => {
      const { id, email, name, role } = await createUser(ctx, actor, workspace, body);
      return c.json({ user_id: id, email, name, role }, 201);
    },
  }),
  workspaceRoute({
    method: "PATCH",
    path: MEMBER,
    capability: "members:write",
    license: "workspace members",
    body: roleBody,
    handler: async ({ c, ctx, actor, workspace, body }) => {
      const userId = c.req.param("userId") ?? "";
      await changeRole(ctx, actor, workspace, { userId, role: body.role });
      return c.body(null, 204);
    },
  }),
  workspaceRoute({
    method: "DELETE",
    path: MEMBER,
    capability: "members:write",
    selfParam: "userId",
    handler: async ({ c, ctx, actor, workspace }) => {
      await removeMember(ctx, actor, workspace, c.req.param("userId") ?? "");
      return c.body(null, 204);
    },
  }),
  workspaceRoute({
    method: "GET",
    path: "/workspaces/:id/audit-log",
    capability: "audit:read",
    license: "audit log",
    query: auditQuery,
    handler: async ({ c, ctx, workspace, query }) =>
      c.json(await presentAuditPage(ctx, workspace.id, query)),
  }),
];
