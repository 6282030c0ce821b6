import { and, eq, lt, ne, or, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { sessions, users, workspaceMembers, workspaces } from "../../db/schema/index.ts";

/** A new account; its id may be an SQL expression that guards the insert. */
export type NewUser = Omit<typeof users.$inferInsert, "id"> & { id: string | SQL<string> };
export type NewSession = typeof sessions.$inferInsert;

export function selectUserByEmail(db: Database, email: string) {
  return db.select().from(users).where(eq(users.email, email));
}

export function selectPasswordHash(db: Database, userId: string) {
  return db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId));
}

export function insertUser(db: Database, user: NewUser) {
  return db.insert(users).values(user);
}

export function updatePassword(db: Database, userId: string, passwordHash: string, now: number) {
  return db.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, userId));
}

export function insertSession(db: Database, session: NewSession) {
  return db.insert(sessions).values(session);
}

export function deleteSession(db: Database, tokenHash: string) {
  return db.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
}

export function deleteOtherSessions(db: Database, userId: string, keepTokenHash: string) {
  return db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.tokenHash, keepTokenHash)));
}

export function deleteExpiredSessions(db: Database, now: number) {
  return db.delete(sessions).where(or(lt(sessions.expiresAt, now), lt(sessions.endsAt, now)));
}

/** Id, name and role of the user's workspaces, oldest membership first; not for use in a batch (a join). */
export function selectWorkspacesOf(db: Database, userId: string) {
  return db
    .select({ id: workspaces.id, name: workspaces.name, role: workspaceMembers.role })
    .from(workspaceMembers)
    .innerJoin(workspaces, eq(workspaces.id, workspaceMembers.workspaceId))
    .where(eq(workspaceMembers.userId, userId))
    .orderBy(workspaceMembers.joinedAt);
}
