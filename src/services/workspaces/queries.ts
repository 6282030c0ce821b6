import { and, asc, eq, getTableColumns, inArray, sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database } from "../../db/client.ts";
import { isOneOf, nextVersion } from "../../db/version.ts";
import type { Page } from "../../lib/page.ts";
import { projects, users, workspaceMembers, workspaces } from "../../db/schema/index.ts";
import { holdersOf, type Capability, type Role } from "../access/index.ts";

export function insertWorkspace(db: Database, workspace: typeof workspaces.$inferInsert) {
  return db.insert(workspaces).values(workspace);
}

export function insertMember(db: Database, member: typeof workspaceMembers.$inferInsert) {
  return db.insert(workspaceMembers).values(member);
}

/** Selects a page of the workspaces of a session's user, oldest first. */
export function selectWorkspacesOfSession(
  db: Database,
  tokenHash: string,
  { limit, offset }: Page,
) {
  const user = sql`(select user_id from sessions where token_hash = ${tokenHash})`;
  const memberships = db
    .select({ workspaceId: workspaceMembers.workspaceId })
    .from(workspaceMembers)
    .where(eq(workspaceMembers.userId, user));
  return db
    .select(getTableColumns(workspaces))
    .from(workspaces)
    .where(inArray(workspaces.id, memberships))
    .orderBy(asc(workspaces.createdAt), asc(workspaces.id))
    .limit(limit)
    .offset(offset);
}

/** Selects a page of the projects of a workspace, oldest first. */
export function selectProjectsOf(db: Database, workspaceId: string, { limit, offset }: Page) {
  return db
    .select(getTableColumns(projects))
    .from(projects)
    .where(eq(projects.workspaceId, workspaceId))
    .orderBy(asc(projects.createdAt), asc(projects.id))
    .limit(limit)
    .offset(offset);
}

/** A member as responses show it; `joinedAt` is in milliseconds. */
export interface Member {
  userId: string;
  email: string;
  name: string;
  role: Role;
  joinedAt: number;
  /** The user who created the account; null if the member registered. */
  createdBy: string | null;
}

/**
 * Selects a page of a workspace's members in the order in which they joined; all column names are
 * distinct. In cloud mode, the name of a user who was added without consent is hidden.
 */
export function selectMembers(
  { db, config }: Pick<Deps, "db" | "config">,
  workspaceId: string,
  { limit, offset }: Page,
) {
  const name =
    config.deploymentMode === "cloud" ? sql`iif(m.accepted, u.name, '') as name` : sql`u.name`;
  return db.all<Member>(
    sql`select m.user_id as "userId", u.email, ${name}, m.role, m.joined_at as "joinedAt",
        u.created_by as "createdBy"
      from workspace_members m cross join users u on u.id = m.user_id
      where m.workspace_id = ${workspaceId}
      order by m.joined_at, m.user_id limit ${limit} offset ${offset}`,
  );
}

/** Selects the account with an email, whether or not the actor may find it: at most one row. */
export function selectPerson(db: Database, email: string) {
  return db
    .select({ id: users.id, email: users.email, name: users.name, createdBy: users.createdBy })
    .from(users)
    .where(eq(users.email, email));
}

/**
 * Returns the condition that this actor may add the user. Anyone could have created an account for
 * an unverified address, so only its creator finds such an account.
 */
export function canBeAddedBy(actorId: string, userId: string): SQL {
  return sql`exists (select 1 from users where id = ${userId} and (verified_at is not null or created_by = ${actorId}))`;
}

/** The membership of actor and member at one point of a batch. */
export interface Membership {
  /** Null if the workspace no longer exists. */
  workspaceId: string | null;
  actorRole: Role | null;
  /** The role of the affected member; null without a membership. */
  role: Role | null;
  joinedAt: number | null;
  /** 1 if that member chose to join, else 0; null without a membership. */
  accepted: number | null;
  /** 1 if the workspace has another owner besides that member, else 0. */
  otherOwner: number;
  /** 1 if the actor may add that user, else 0. */
  canBeAdded: number;
}

/** Selects one row, even if nothing exists: the state before the writes of a batch. */
export function selectStanding(db: Database, workspaceId: string, actorId: string, userId: string) {
  const of = (column: "role" | "joined_at" | "accepted", id: string) =>
    sql`(select ${sql.raw(column)} from workspace_members where workspace_id = ${workspaceId} and user_id = ${id})`;
  return db.all<Membership>(
    sql`select (select id from workspaces where id = ${workspaceId}) as "workspaceId",
      ${of("role", actorId)} as "actorRole", ${of("role", userId)} as "role",
      ${of("joined_at", userId)} as "joinedAt", ${of("accepted", userId)} as "accepted", ${hasOtherOwner(workspaceId, userId)} as "otherOwner",
      ${canBeAddedBy(actorId, userId)} as "canBeAdded"`,
  );
}

/** Returns the condition that the user is a member whose role holds the capability. */
export function memberHolds(workspaceId: string, userId: string, capability: Capability): SQL {
  return sql`exists (select 1 from workspace_members where workspace_id = ${workspaceId} and user_id = ${userId} and role in ${holdersOf(capability)})`;
}

/** Returns the condition that the workspace has another owner, and so can lose this one. */
export function hasOtherOwner(workspaceId: string, userId: string): SQL {
  return sql`exists (select 1 from workspace_members where workspace_id = ${workspaceId} and user_id <> ${userId} and role = 'owner')`;
}

/** Returns the condition that the user is a member with a role other than this one. */
export function hasOtherRole(workspaceId: string, userId: string, role: Role): SQL {
  return sql`exists (select 1 from workspace_members where workspace_id = ${workspaceId} and user_id = ${userId} and role <> ${role})`;
}

/** Returns the condition that the workspace has no projects. */
export function hasNoProjects(workspaceId: string): SQL {
  return sql`not exists (select 1 from projects where workspace_id = ${workspaceId})`;
}

/** Adds a member under a condition; an existing membership stays unchanged. */
export function insertMemberWhen(
  db: Database,
  member: typeof workspaceMembers.$inferInsert,
  when: SQL,
) {
  const { workspaceId, userId, role, joinedAt } = member;
  return db.run(
    sql`insert into workspace_members (workspace_id, user_id, role, joined_at)
      select ${workspaceId}, ${userId}, ${role}, ${joinedAt} where ${when}
      on conflict do nothing`,
  );
}

export function updateRoleWhen(
  db: Database,
  workspaceId: string,
  userId: string,
  role: Role,
  when: SQL,
) {
  return db
    .update(workspaceMembers)
    .set({ role })
    .where(and(isMembership(workspaceId, userId), when));
}

export function deleteMemberWhen(db: Database, workspaceId: string, userId: string, when: SQL) {
  return db.delete(workspaceMembers).where(and(isMembership(workspaceId, userId), when));
}

/** Withdraws the invitation of a member under a condition. */
export function deleteInvitationOfMember(
  db: Database,
  workspaceId: string,
  userId: string,
  when: SQL,
) {
  return db.run(
    sql`delete from workspace_invitations where workspace_id = ${workspaceId}
      and email = (select email from users where id = ${userId}) and ${when}`,
  );
}

const isMembership = (workspaceId: string, userId: string) =>
  and(eq(workspaceMembers.workspaceId, workspaceId), eq(workspaceMembers.userId, userId));

/** Renames a workspace if `when` is true, and returns its row. */
export function renameWorkspaceWhen(
  db: Database,
  id: string,
  name: string,
  now: number,
  when: SQL,
) {
  return db
    .update(workspaces)
    .set({ name, updatedAt: nextVersion(now, workspaces.updatedAt) })
    .where(and(eq(workspaces.id, id), when))
    .returning();
}

/** Returns a condition for a batch: the workspace's version is one that the caller expects. */
export const workspaceIs = (id: string, expected: number[] | undefined): SQL =>
  isOneOf(expected, sql`(select updated_at from workspaces where id = ${id})`);

export function deleteWorkspaceWhen(db: Database, id: string, when: SQL) {
  return db
    .delete(workspaces)
    .where(and(eq(workspaces.id, id), when))
    .returning({ id: workspaces.id });
}

/** Withdraws the invitations of a deleted workspace. */
export function deleteInvitationsOfGone(db: Database, workspaceId: string) {
  return db.run(
    sql`delete from workspace_invitations where workspace_id = ${workspaceId} and not exists (select 1 from workspaces where id = ${workspaceId})`,
  );
}

/** Deletes all memberships of a deleted workspace. */
export function deleteMembersOfGone(db: Database, workspaceId: string) {
  return db.run(
    sql`delete from workspace_members where workspace_id = ${workspaceId} and not exists (select 1 from workspaces where id = ${workspaceId})`,
  );
}
