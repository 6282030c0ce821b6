import { and, eq, getTableColumns, gt, lt, or, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { apiKeys, projects, sessions, workspaces } from "../../db/schema/index.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import type { Role } from "./capabilities.ts";
import { live, type SessionAt } from "./passes.ts";

/**
 * The idle and absolute lifetime of a session, and the remaining idle time that triggers renewal.
 */
export const SESSION_IDLE_MS = 7 * 86_400_000;
export const SESSION_ABSOLUTE_MS = 30 * 86_400_000;
const SESSION_RENEW_BELOW_MS = SESSION_IDLE_MS / 2;

/** The shortest interval between two writes of the `last_seen_at` of a session or access token. */
const SESSION_USE_RESOLUTION_MS = HOUR_MS;

/** The shortest interval between two writes of a key's `last_used_at`. */
const KEY_USE_RESOLUTION_MS = 60_000;

export type ProjectRow = typeof projects.$inferSelect;
export type WorkspaceRow = typeof workspaces.$inferSelect;

/**
 * Records the use of a live session. Extends its idle lifetime once less than half of it remains.
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

/** The user of a live session, with the name and the projects (JSON) of an access token. */
export interface SessionUser {
  id: string;
  email: string;
  name: string;
  verifiedAt: number | null;
  tokenName: string | null;
  projectIds: string | null;
}

/** Selects the user of a live session: at most one row. */
export function selectSessionUser(db: Database, session: SessionAt) {
  return db.all<SessionUser>(
    sql`select u.id, u.email, u.name, u.verified_at as "verifiedAt", s.name as "tokenName",
        s.project_ids as "projectIds"
      from sessions s cross join users u on u.id = s.user_id where ${live(session)}`,
  );
}

const touch = prepared((db, at: { keyHash: SQL; now: SQL; staleBefore: SQL }) =>
  db.run(sql`update api_keys set last_used_at = ${at.now}
    where key_hash = ${at.keyHash} and (last_used_at is null or last_used_at < ${at.staleBefore})`),
);

/** Records the use of a key, at most once a minute. */
export function touchKey(db: Database, keyHash: string, now: number) {
  return touch(db, { keyHash, now, staleBefore: now - KEY_USE_RESOLUTION_MS });
}

const keyWith = prepared((db, at: { keyHash: SQL }) =>
  db
    .select({
      id: apiKeys.id,
      projectId: apiKeys.projectId,
      type: apiKeys.type,
      capabilities: apiKeys.capabilities,
      rateLimitPerMinute: apiKeys.rateLimitPerMinute,
      prefix: apiKeys.prefix,
    })
    .from(apiKeys)
    .where(eq(apiKeys.keyHash, at.keyHash)),
);

/** Selects the key with this hash in a batch: at most one row. */
export const selectKey = (db: Database, keyHash: string) => keyWith(db, { keyHash });

const projectWithRole = prepared((db, at: { projectId: SQL; tokenHash: SQL }) => {
  // Drizzle omits the table name of a column here, and the subquery would then resolve it to its
  // own column. The SQL therefore spells the names out.
  const role = sql<Role | null>`(select m.role from workspace_members m where m.workspace_id = projects.workspace_id and m.user_id = (select user_id from sessions where token_hash = ${at.tokenHash}))`;
  return db
    .select({ ...getTableColumns(projects), role: role.as("actor_role") })
    .from(projects)
    .where(eq(projects.id, at.projectId));
});

/**
 * Selects a project with the session user's role in its workspace; the role is null without one. It
 * runs in a batch.
 */
export const selectProjectWithRole = (db: Database, projectId: string, tokenHash: string) =>
  projectWithRole(db, { projectId, tokenHash });

/** Selects the project with this id, which may be an SQL expression: at most one row. */
export function selectProjectById(db: Database, projectId: SQL) {
  return db.select().from(projects).where(eq(projects.id, projectId));
}

/** Selects a workspace with the session user's role in it; the role is null without one. */
export function selectWorkspaceWithRole(db: Database, workspaceId: string, tokenHash: string) {
  const role = sql<Role | null>`(select m.role from workspace_members m where m.workspace_id = workspaces.id and m.user_id = (select user_id from sessions where token_hash = ${tokenHash}))`;
  return db
    .select({ ...getTableColumns(workspaces), role: role.as("actor_role") })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
}
