import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { MAILED_TOKEN_KINDS } from "../../db/schema/index.ts";

export type MailedTokenKind = (typeof MAILED_TOKEN_KINDS)[number];

/** A token for an email: 256 random bits. The database stores only its SHA-256. */
export interface NewMailedToken {
  tokenHash: string;
  kind: MailedTokenKind;
  createdAt: number;
  expiresAt: number;
  /** The new address of the user. */
  email?: string;
}

/**
 * Stores a token for the user that a condition on `users` selects. Returns no row if there is none.
 */
export function insertUserToken(db: Database, token: NewMailedToken, user: SQL) {
  const { tokenHash, kind, createdAt, expiresAt, email = null } = token;
  return db.all<{ subjectId: string }>(
    sql`insert into mailed_tokens (token_hash, kind, subject_id, created_at, expires_at, email)
      select ${tokenHash}, ${kind}, id, ${createdAt}, ${expiresAt}, ${email} from users where ${user}
      returning subject_id as "subjectId"`,
  );
}

/**
 * Returns an SQL expression for the subject of a valid token, which is null for any other token.
 */
export function tokenSubject(kind: MailedTokenKind, tokenHash: string, now: number): SQL {
  return sql`(select t.subject_id from mailed_tokens t
    where t.token_hash = ${tokenHash} and t.kind = ${kind} and t.expires_at > ${now})`;
}

/** Deletes all tokens of one kind that a user has. */
export function deleteUserTokens(db: Database, kind: MailedTokenKind, userId: string | SQL) {
  return db.run(sql`delete from mailed_tokens where kind = ${kind} and subject_id = ${userId}`);
}

/** Deletes the password resets not sent yet to an address, if a condition holds. */
export function deletePendingResets(db: Database, email: string, when: SQL) {
  return db.run(
    sql`delete from pending_mails where kind = 'reset' and data->>'to' = ${email} and ${when}`,
  );
}

/** Deletes expired tokens. Runs every night. */
export function deleteExpiredTokens(db: Database, now: number) {
  return db.run(sql`delete from mailed_tokens where expires_at <= ${now}`);
}
