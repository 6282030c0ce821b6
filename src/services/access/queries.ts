import { and, eq, getTableColumns, gt, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { apiKeys, projects, sessions, users, workspaces } from "../../db/schema/index.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import type { Role } from "./capabilities.ts";

/** Idle and absolute life of a session, and how little idle life is left when it is renewed. */
export const SESSION_IDLE_MS = 7 * 86_400_000;
export const SESSION_ABSOLUTE_MS = 30 * 86_400_000;
const SESSION_RENEW_BELOW_MS = SESSION_IDLE_MS / 2;

/** `last_seen_at` of a session is written at most this often. */
const SESSION_USE_RESOLUTION_MS = HOUR_MS;

/** `last_used_at` of a key is written at most this often. */
const KEY_USE_RESOLUTION_MS = 60_000;

export type ProjectRow = typeof projects.$inferSelect;
export type WorkspaceRow = typeof workspaces.$inferSelect;

/**
 * Notes the use of a living session, and moves its idle end while less than half of it is left.
 * Writes at most once an hour.
 */
export function renewSession(db: Database, tokenHash: string, now: number) {
  const { expiresAt, endsAt, lastSeenAt } = sessions;
  const isOldHalf = sql`${expiresAt} < ${now + SESSION_RENEW_BELOW_MS}`;
  return db
    .update(sessions)
    .set({
      lastSeenAt: now,
      expiresAt: sql`iif(${isOldHalf}, min(${now + SESSION_IDLE_MS}, ${endsAt}), ${expiresAt})`,
    })
    .where(
      and(
        eq(sessions.tokenHash, tokenHash),
        gt(expiresAt, now),
        gt(endsAt, now),
        or(lt(lastSeenAt, now - SESSION_USE_RESOLUTION_MS), and(isOldHalf, lt(expiresAt, endsAt))),
      ),
    );
}

/** The user of a living session: at most one row. */
export function selectSessionUser(db: Database, tokenHash: string, now: number) {
  const userOfSession = sql`(select user_id from sessions where token_hash = ${tokenHash} and expires_at > ${now} and ends_at > ${now})`;
  return db
    .select({ id: users.id, email: users.email, name: users.name })
    .from(users)
    .where(eq(users.id, userOfSession));
}

/** Notes the use of a key, at most once a minute. */
export function touchKey(db: Database, keyHash: string, now: number) {
  const stale = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, now - KEY_USE_RESOLUTION_MS));
  return db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.keyHash, keyHash), stale));
}

/** The key with this hash: at most one row. */
export function selectKey(db: Database, keyHash: string) {
  return db
    .select({
      id: apiKeys.id,
      projectId: apiKeys.projectId,
      type: apiKeys.type,
      capabilities: apiKeys.capabilities,
      rateLimitPerMinute: apiKeys.rateLimitPerMinute,
    })
    .from(apiKeys)
    .where(eq(apiKeys.keyHash, keyHash));
}

/** A project with the role its workspace gives to the user of a session; null without one. */
export function selectProjectWithRole(db: Database, projectId: string, tokenHash: string) {
  // Names are spelled out: drizzle writes a column without its table here, and it would be the subquery's own.
  const role = sql<Role | null>`(select m.role from workspace_members m where m.workspace_id = projects.workspace_id and m.user_id = (select user_id from sessions where token_hash = ${tokenHash}))`;
  return db
    .select({ ...getTableColumns(projects), role: role.as("actor_role") })
    .from(projects)
    .where(eq(projects.id, projectId));
}

/** The project with this id, which may be an expression: at most one row. */
export function selectProjectById(db: Database, projectId: SQL) {
  return db.select().from(projects).where(eq(projects.id, projectId));
}

/** A workspace with the role it gives to the user of a session; null without one. */
export function selectWorkspaceWithRole(db: Database, workspaceId: string, tokenHash: string) {
  const role = sql<Role | null>`(select m.role from workspace_members m where m.workspace_id = workspaces.id and m.user_id = (select user_id from sessions where token_hash = ${tokenHash}))`;
  return db
    .select({ ...getTableColumns(workspaces), role: role.as("actor_role") })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
}
