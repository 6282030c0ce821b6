import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { MAILED_TOKEN_KINDS } from "../../db/schema/index.ts";

export type MailedTokenKind = (typeof MAILED_TOKEN_KINDS)[number];

/** A token about to be mailed: 256 random bits, of which the SHA-256 is stored. */
export interface NewMailedToken {
  tokenHash: string;
  kind: MailedTokenKind;
  createdAt: number;
  expiresAt: number;
}

/** Stores a token for the user that a condition on `users` finds; no row comes back without one. */
export function insertUserToken(db: Database, token: NewMailedToken, user: SQL) {
  const { tokenHash, kind, createdAt, expiresAt } = token;
  return db.all<{ subjectId: string }>(
    sql`insert into mailed_tokens (token_hash, kind, subject_id, created_at, expires_at)
      select ${tokenHash}, ${kind}, id, ${createdAt}, ${expiresAt} from users where ${user}
      returning subject_id as "subjectId"`,
  );
}

/** What a token that still holds was made for, as an SQL expression; null for any other. */
export function tokenSubject(kind: MailedTokenKind, tokenHash: string, now: number): SQL {
  return sql`(select t.subject_id from mailed_tokens t
    where t.token_hash = ${tokenHash} and t.kind = ${kind} and t.expires_at > ${now})`;
}

/** Ends all tokens of one kind of a user. */
export function deleteUserTokens(db: Database, kind: MailedTokenKind, userId: string | SQL) {
  return db.run(sql`delete from mailed_tokens where kind = ${kind} and subject_id = ${userId}`);
}

/** Removes tokens that are over; run every night. */
export function deleteExpiredTokens(db: Database, now: number) {
  return db.run(sql`delete from mailed_tokens where expires_at <= ${now}`);
}
