import { and, asc, eq, getTableColumns, inArray, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { LocationHint } from "../../lib/location-hint.ts";
import { nextVersion } from "../../db/version.ts";
import type { Page } from "../../lib/page.ts";
import { holdersOf, type UserActor } from "../access/index.ts";
import { projectCounters, projects, workspaceMembers } from "../../db/schema/index.ts";

/**
 * A new project. Its workspace may be an SQL expression that guards the insert, and its version one
 * that increments.
 */
export type NewProject = Omit<
  typeof projects.$inferInsert,
  | "workspaceId"
  | "sendingVersion"
  | "locationHint"
  | "audienceSettings"
  | "bounceSettings"
  | "mailSettings"
> & {
  audienceSettings?: SQL;
  bounceSettings?: SQL;
  mailSettings?: SQL;
  locationHint?: LocationHint | SQL;
  workspaceId: string | SQL<string>;
  sendingVersion?: number | SQL<number>;
};

export function insertProject(db: Database, project: NewProject) {
  return db.insert(projects).values(project).returning();
}

export function insertCounters(db: Database, projectId: string) {
  return db.insert(projectCounters).values({ projectId });
}

/**
 * Selects the projects that the user created and may still see, oldest first. Excludes those of a
 * workspace that the user has left.
 */
export function selectOwnProjects(db: Database, actor: UserActor, page: Page) {
  return projectsOfMember(db, actor, page, eq(projects.createdBy, actor.userId));
}

/** Selects the projects of all workspaces of the user, oldest first. */
export function selectAllProjects(db: Database, actor: UserActor, page: Page) {
  return projectsOfMember(db, actor, page);
}

function projectsOfMember(
  db: Database,
  { userId, accessToken }: UserActor,
  { limit, offset }: Page,
  condition?: SQL,
) {
  const reached = accessToken?.projectIds;
  const memberships = db
    .select({ workspaceId: workspaceMembers.workspaceId })
    .from(workspaceMembers)
    .where(eq(workspaceMembers.userId, userId));
  return db
    .select(getTableColumns(projects))
    .from(projects)
    .where(
      and(
        condition,
        reached ? inArray(projects.id, reached) : undefined,
        inArray(projects.workspaceId, memberships),
      ),
    )
    .orderBy(asc(projects.createdAt), asc(projects.id))
    .limit(limit)
    .offset(offset);
}

/** Changes a project if `when`, evaluated at this point of the batch, holds. */
export function updateProject(
  db: Database,
  id: string,
  change: Partial<NewProject>,
  when: SQL = sql`true`,
) {
  const { updatedAt } = change;
  const version = updatedAt && { updatedAt: nextVersion(updatedAt, projects.updatedAt) };
  return db
    .update(projects)
    .set({ ...change, ...version })
    .where(and(eq(projects.id, id), when))
    .returning();
}

export function deleteProjectRow(db: Database, id: string) {
  return db.delete(projects).where(eq(projects.id, id)).returning();
}

/** Returns a condition for a batch: the project exists. */
export function projectExists(id: string | SQL) {
  return sql`exists (select 1 from projects where id = ${id})`;
}

/**
 * Returns the id of the given workspace or else of the one that the user joined first. Only
 * workspaces in which the user may currently create a project count; null if there is none.
 */
export function workspaceToCreateIn(userId: string, workspaceId: string | undefined) {
  const named = workspaceId === undefined ? sql`` : sql` and workspace_id = ${workspaceId}`;
  const roles = JSON.stringify(holdersOf("projects:write"));
  return sql<string>`(select workspace_id from workspace_members where user_id = ${userId}${named}
    and role in (select value from json_each(${roles})) order by joined_at, workspace_id limit 1)`;
}

/** Selects the project with its SMTP settings: at most one row. */
export function selectProject(db: Database, projectId: string) {
  return db.select().from(projects).where(eq(projects.id, projectId));
}
