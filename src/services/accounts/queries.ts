import { eq, lt, or, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { sessions, users, type workspaceMembers } from "../../db/schema/index.ts";

/** A new account. Its id may be an SQL expression that guards the insert. */
export type NewUser = Omit<typeof users.$inferInsert, "id"> & { id: string | SQL<string> };
export type NewSession = typeof sessions.$inferInsert;

export function selectUserByEmail(db: Database, email: string) {
  return db.select().from(users).where(eq(users.email, email));
}

export function selectPasswordHash(db: Database, userId: string) {
  return db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId));
}

/** Selects 1 if the account with an address has verified it, else 0: at most one row. */
export function selectVerificationOf(db: Database, email: string) {
  return db.all<{ isVerified: number }>(
    sql`select verified_at is not null as "isVerified" from users where email = ${email}`,
  );
}

/**
 * Selects whether the session's user has a verified address (1 or 0), and the email of the user who
 * created the account: at most one row.
 */
export function selectOriginOfSession(db: Database, tokenHash: string) {
  return db.all<{ isVerified: number; createdBy: string | null }>(
    sql`select verified_at is not null as "isVerified",
      (select by.email from users by where by.id = users.created_by) as "createdBy" from users
      where id = (select user_id from sessions where token_hash = ${tokenHash})`,
  );
}

export function insertUser(db: Database, user: NewUser) {
  return db.insert(users).values(user);
}

/** Sets a new password if the current hash is still `from`. */
export function updatePassword(
  db: Database,
  userId: string,
  hashes: { from: string; to: string },
  now: number,
) {
  return db
    .update(users)
    .set({ passwordHash: hashes.to, updatedAt: now })
    .where(hasPassword(userId, hashes.from))
    .returning({ id: users.id });
}

/** Stores a session if the user's password still has this hash. */
export function insertSession(db: Database, session: NewSession, passwordHash: string) {
  const { tokenHash, userId, createdAt, expiresAt, endsAt, id, ipAddress, userAgent } = session;
  return db.run(
    sql`insert into sessions (token_hash, user_id, created_at, expires_at, ends_at, id, last_seen_at, ip_address, user_agent)
      select ${tokenHash}, ${userId}, ${createdAt}, ${expiresAt}, ${endsAt}, ${id}, ${createdAt}, ${ipAddress}, ${userAgent}
      where ${passwordIs(userId, passwordHash)}`,
  );
}

/** Returns the SQL condition that the session is stored. */
export function sessionExists(tokenHash: string): SQL {
  return sql`exists (select 1 from sessions where token_hash = ${tokenHash})`;
}

const hasPassword = (userId: string, passwordHash: string) =>
  sql`id = ${userId} and password_hash = ${passwordHash}`;

/** Returns the SQL condition that the user's password now has this hash. */
export const passwordIs = (userId: string, passwordHash: string): SQL =>
  sql`exists (select 1 from users where ${hasPassword(userId, passwordHash)})`;

export function deleteSession(db: Database, tokenHash: string) {
  return db.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
}

/** Deletes the user's sessions except one, if the user's password now has this hash. */
export function deleteOtherSessions(
  db: Database,
  userId: string,
  keepTokenHash: string,
  passwordHash: string,
) {
  return db.run(
    sql`delete from sessions where user_id = ${userId} and name is null
      and token_hash <> ${keepTokenHash} and ${passwordIs(userId, passwordHash)}`,
  );
}

export function deleteExpiredSessions(db: Database, now: number) {
  return db.delete(sessions).where(or(lt(sessions.expiresAt, now), lt(sessions.endsAt, now)));
}

/** Selects id, name and role of the user's workspaces, oldest membership first. */
export function selectWorkspacesOf(db: Database, userId: string) {
  return db.all<{ id: string; name: string; role: typeof workspaceMembers.$inferSelect.role }>(
    sql`select w.id, w.name, m.role from workspace_members m
      join workspaces w on w.id = m.workspace_id
      where m.user_id = ${userId} order by m.joined_at`,
  );
}
