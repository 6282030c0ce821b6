import type { Actor, Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { isNotNullViolation } from "../../db/constraint-violation.ts";
import { forbidden, notFound } from "../../errors.ts";
import type { Page } from "../../lib/page.ts";
import { requireRole, roleHolds, type ProjectRow } from "../access/index.ts";
import { selectWorkspacesOf } from "../accounts/index.ts";
import { auditStatement } from "../audit/index.ts";
import {
  insertCounters,
  insertProject,
  projectExists,
  selectOwnProjects,
  updateProject,
  workspaceToCreateIn,
} from "./queries.ts";

type UserActor = Extract<Actor, { kind: "user" }>;

export interface ProjectInput {
  name: string;
  description: string;
}

/**
 * Creates a project in the given workspace, or in the oldest one in which the caller may create
 * one. Throws not_found for a workspace without the caller, and forbidden without `projects:write`
 * there.
 */
export async function createProject(
  ctx: Ctx,
  actor: UserActor,
  input: ProjectInput & { workspaceId: string | undefined },
): Promise<ProjectRow> {
  const { db, now, newId } = ctx.deps;
  const memberships = await selectWorkspacesOf(db, actor.userId);
  const workspace = input.workspaceId
    ? memberships.find(({ id }) => id === input.workspaceId)
    : (memberships.find(({ role }) => roleHolds(role, "projects:write")) ?? memberships[0]);
  if (!workspace && input.workspaceId) throw notFound("workspace");
  if (!workspace) throw forbidden("you belong to no workspace");
  requireRole(workspace.role, "projects:write");
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
      targetType: "project",
      targetId: id,
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

/**
 * Returns a page of the projects that the caller created, oldest first. Projects of a workspace
 * that the caller has left are not among them.
 */
export async function listProjects(ctx: Ctx, actor: UserActor, page: Page): Promise<ProjectRow[]> {
  return selectOwnProjects(ctx.deps.db, actor.userId, page);
}

/** Changes the given fields and keeps the others. The route checks `projects:write`. */
export async function renameProject(
  ctx: Ctx,
  project: ProjectRow,
  change: Partial<ProjectInput>,
): Promise<ProjectRow> {
  const { db, now } = ctx.deps;
  const fact = {
    scopeId: project.id,
    action: "project.update",
    targetType: "project",
    targetId: project.id,
  } as const;
  const [rows] = await runBatch(db, [
    updateProject(db, project.id, { ...change, updatedAt: now() }),
    auditStatement(ctx, fact, projectExists(project.id)),
  ]);
  return firstProject(rows);
}

/** Returns the row of a write. Throws not_found when another request has deleted the project. */
export function firstProject(rows: ProjectRow[]): ProjectRow {
  const [project] = rows;
  if (!project) throw notFound("project");
  return project;
}
