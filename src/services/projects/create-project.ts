import type { Actor, Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { isNotNullViolation } from "../../db/constraint-violation.ts";
import { notFound, refusal } from "../../errors.ts";
import { requireProof, requireRole, roleHolds, type ProjectRow } from "../access/index.ts";
import { selectWorkspacesOf } from "../accounts/index.ts";
import { auditStatement } from "../audit/index.ts";
import { insertCounters, insertProject, workspaceToCreateIn } from "./queries.ts";
import { firstProject } from "./first-project.ts";

export type UserActor = Extract<Actor, { kind: "user" }>;

export interface ProjectInput {
  name: string;
  description: string;
}

/**
 * Creates a project in the given workspace, or in the oldest one in which the caller may create
 * projects. Throws not_found for a workspace that the caller does not belong to, and 403 without
 * `projects:write` there.
 */
export async function createProject(
  ctx: Ctx,
  actor: UserActor,
  input: ProjectInput & { workspaceId?: string },
): Promise<ProjectRow> {
  const { db, now, newId } = ctx.deps;
  const memberships = await selectWorkspacesOf(db, actor.userId);
  const workspace = input.workspaceId
    ? memberships.find(({ id }) => id === input.workspaceId)
    : (memberships.find(({ role }) => roleHolds(role, "projects:write")) ?? memberships[0]);
  if (!workspace && input.workspaceId) throw notFound("workspace");
  if (!workspace) throw refusal("no_workspace", {});
  requireRole(workspace.role, "projects:write");
  requireProof(actor, "projects:write");
  const at = now();
  const id = newId();
  const statements = [
    insertProject(db, {
      id,
      workspaceId: workspaceToCreateIn(actor.userId, input.workspaceId),
      createdBy: actor.userId,
      name: input.name,
      description: input.description,
      createdAt: at,
      updatedAt: at,
    }),
    insertCounters(db, id),
    auditStatement(ctx, {
      scopeId: id,
      action: "project.create",
      metadata: { name: input.name },
    }),
  ] as const;
  try {
    const [rows] = await runBatch(db, statements);
    return firstProject(rows);
  } catch (error) {
    if (isNotNullViolation(error, "projects.workspace_id")) throw notFound("workspace");
    throw error;
  }
}
