import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { workspaceInvitations } from "../../db/schema/index.ts";
import type { Page } from "../../lib/page.ts";
import { holdersOf } from "../access/index.ts";
import type { NewMailedToken } from "../accounts/index.ts";

export type InvitationRow = typeof workspaceInvitations.$inferSelect;

/** An open invitation as the invited person sees it; times are in milliseconds. */
export interface OpenInvitation {
  id: string;
  workspaceId: string;
  email: string;
  role: InvitationRow["role"];
  expiresAt: number;
  workspaceName: string;
  inviterName: string;
  /** The account with that address, or null. */
  userId: string | null;
}

/**
 * Returns the conditions that an invitation has not expired, and that its sender may still manage
 * the members. `i` is the name of the table in the query.
 */
const isOpen = (now: number, i = sql`i`) => sql`${i}.expires_at > ${now} and exists (
  select 1 from workspace_members m where m.workspace_id = ${i}.workspace_id
    and m.user_id = ${i}.invited_by and m.role in ${holdersOf("members:write")})`;

const OPEN_INVITATION = sql`select i.id, i.workspace_id as "workspaceId", i.email, i.role,
    i.expires_at as "expiresAt", w.name as "workspaceName", u.name as "inviterName",
    (select id from users where email = i.email) as "userId"
  from workspace_invitations i cross join workspaces w on w.id = i.workspace_id
    cross join users u on u.id = i.invited_by`;

const ofToken = (tokenHash: string, now: number) =>
  sql`(select t.subject_id from mailed_tokens t
    where t.token_hash = ${tokenHash} and t.kind = 'invitation' and t.expires_at > ${now})`;

/** Selects the open invitation with this id: at most one row. */
export function selectOpenInvitation(db: Database, id: string, now: number) {
  return db.all<OpenInvitation>(sql`${OPEN_INVITATION} where i.id = ${id} and ${isOpen(now)}`);
}

/** Selects the open invitation of a mailed token: at most one row. */
export function selectInvitationOfToken(db: Database, tokenHash: string, now: number) {
  return db.all<OpenInvitation>(
    sql`${OPEN_INVITATION} where i.id = ${ofToken(tokenHash, now)} and ${isOpen(now)}`,
  );
}

/** Returns the condition that the token still opens this invitation. */
export function tokenOpens(tokenHash: string, invitationId: string, now: number): SQL {
  return sql`exists (select 1 from workspace_invitations i cross join workspaces w on w.id = i.workspace_id
    where i.id = ${invitationId} and i.id = ${ofToken(tokenHash, now)} and ${isOpen(now)})`;
}

/**
 * Stores the token of an open invitation and returns a row; no row if there is no such invitation.
 */
export function insertInvitationToken(db: Database, token: NewMailedToken, invitationId: string) {
  const { tokenHash, createdAt } = token;
  return db.all<{ subjectId: string }>(
    sql`insert into mailed_tokens (token_hash, kind, subject_id, created_at, expires_at)
      select ${tokenHash}, 'invitation', i.id, ${createdAt}, i.expires_at from workspace_invitations i
      where i.id = ${invitationId} and ${isOpen(createdAt)} returning subject_id as "subjectId"`,
  );
}

/**
 * Stores an invitation under a condition and returns a row. It replaces an expired invitation; a
 * valid one stays, and no row is returned.
 */
export function insertInvitationWhen(db: Database, row: InvitationRow, when: SQL) {
  const { id, workspaceId, email, role, invitedBy, createdAt, expiresAt } = row;
  return db.all<{ id: string }>(
    sql`insert into workspace_invitations (id, workspace_id, email, role, invited_by, created_at, expires_at)
      select ${id}, ${workspaceId}, ${email}, ${role}, ${invitedBy}, ${createdAt}, ${expiresAt} where ${when}
      on conflict (workspace_id, email) do update set id = excluded.id, role = excluded.role,
        invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at
        where not (${isOpen(createdAt, sql`workspace_invitations`)})
      returning id`,
  );
}

/** Selects a page of a workspace's pending invitations, oldest first. */
export function selectInvitations(db: Database, workspaceId: string, { limit, offset }: Page) {
  return db
    .select()
    .from(workspaceInvitations)
    .where(eq(workspaceInvitations.workspaceId, workspaceId))
    .orderBy(asc(workspaceInvitations.createdAt), asc(workspaceInvitations.id))
    .limit(limit)
    .offset(offset);
}

const isInvitation = (workspaceId: string, id: string) =>
  and(eq(workspaceInvitations.workspaceId, workspaceId), eq(workspaceInvitations.id, id));

/** Selects one invitation of a workspace: at most one row. */
export function selectInvitation(db: Database, workspaceId: string, id: string) {
  return db.select().from(workspaceInvitations).where(isInvitation(workspaceId, id));
}

/** Returns the condition that the workspace has this invitation. */
export function invitationExists(workspaceId: string, id: string): SQL {
  return sql`exists (select 1 from workspace_invitations where id = ${id} and workspace_id = ${workspaceId})`;
}

/**
 * Renews an invitation under a condition, with this user as its sender; returns the row on success.
 */
export function renewInvitationWhen(
  db: Database,
  { workspaceId, id }: Pick<InvitationRow, "workspaceId" | "id">,
  change: Pick<InvitationRow, "invitedBy" | "expiresAt">,
  when: SQL,
) {
  return db
    .update(workspaceInvitations)
    .set(change)
    .where(and(isInvitation(workspaceId, id), when))
    .returning();
}

/** Deletes an invitation under a condition; returns a row on success. */
export function deleteInvitationWhen(db: Database, workspaceId: string, id: string, when: SQL) {
  return db
    .delete(workspaceInvitations)
    .where(and(isInvitation(workspaceId, id), when))
    .returning({ id: workspaceInvitations.id });
}

/** Deletes the tokens of an invitation that no longer exists. */
export function deleteTokensOfGone(db: Database, invitationId: string) {
  return db.run(
    sql`delete from mailed_tokens where kind = 'invitation' and subject_id = ${invitationId}
      and not exists (select 1 from workspace_invitations where id = ${invitationId})`,
  );
}

/**
 * Deletes invitations that expired before `before`, and those of deleted workspaces. Runs every
 * night.
 */
export function deleteOldInvitations(db: Database, before: number) {
  return db.run(
    sql`delete from workspace_invitations where expires_at < ${before}
      or not exists (select 1 from workspaces where id = workspace_invitations.workspace_id)`,
  );
}
