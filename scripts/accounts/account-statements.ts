import { ulidAt, uuidAt } from "../../src/lib/ids.ts";
import { sql } from "./sql-literal.ts";

/** Data of a new account; contains only the hash of the password. */
export interface NewAccount {
  email: string;
  name: string;
  passwordHash: string;
  nowMs: number;
}

/**
 * Creates an account with its own workspace. The operator vouches for its address, so it counts as
 * verified.
 */
export function createAccountStatements({
  email,
  name,
  passwordHash,
  nowMs,
}: NewAccount): string[] {
  const userId = uuidAt(nowMs);
  const workspaceId = uuidAt(nowMs);
  return [
    sql`INSERT INTO users (id, email, name, password_hash, created_at, updated_at, verified_at)
        VALUES (${userId}, ${email}, ${name}, ${passwordHash}, ${nowMs}, ${nowMs}, ${nowMs});`,
    sql`INSERT INTO workspaces (id, name, created_by, created_at, updated_at)
        VALUES (${workspaceId}, ${`${name}'s workspace`}, ${userId}, ${nowMs}, ${nowMs});`,
    sql`INSERT INTO workspace_members (workspace_id, user_id, role, joined_at, accepted)
        VALUES (${workspaceId}, ${userId}, 'owner', ${nowMs}, true);`,
    sql`INSERT INTO audit_entries (id, scope_id, user_id, action, target_type, target_id, metadata, ip_address, user_agent, created_at)
        VALUES (${ulidAt(nowMs)}, ${workspaceId}, ${userId}, 'workspace.create', 'workspace', ${workspaceId}, '{}', '', 'npm run user', ${nowMs});`,
  ];
}

/**
 * Replaces an account's password, revokes all its sessions and reset links (including those not yet
 * sent), and marks its address as verified.
 */
export function resetPasswordStatements(reset: {
  email: string;
  passwordHash: string;
  nowMs: number;
}): string[] {
  const { email, passwordHash, nowMs } = reset;
  return [
    sql`UPDATE users SET password_hash = ${passwordHash}, updated_at = ${nowMs}, verified_at = coalesce(verified_at, ${nowMs}) WHERE email = ${email};`,
    sql`DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE email = ${email});`,
    sql`DELETE FROM pending_mails WHERE kind = 'reset' AND data ->> 'to' = ${email};`,
    sql`DELETE FROM mailed_tokens WHERE kind = 'reset' AND subject_id IN (SELECT id FROM users WHERE email = ${email});`,
  ];
}

/** Counts the accounts with an email: 0 or 1, as `found`. */
export function countAccountsStatement(email: string): string {
  return sql`SELECT count(*) AS found FROM users WHERE email = ${email};`;
}
