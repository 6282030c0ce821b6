import type { Message } from "../../messages/message.ts";
import { and, asc, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { bounceImap, bounceTokens } from "../../db/schema/index.ts";
import { projectExists } from "../projects/index.ts";

export type MailboxRow = typeof bounceImap.$inferSelect;
export type TokenRow = typeof bounceTokens.$inferSelect;

/** Selects the bounce mailbox of a project: at most one row. */
export function selectMailbox(db: Database, projectId: string) {
  return db.select().from(bounceImap).where(eq(bounceImap.projectId, projectId));
}

/** The settings to save. The stored password stays if `passwordSealed` is null. */
export type MailboxChange = Pick<
  MailboxRow,
  "projectId" | "enabled" | "host" | "port" | "user" | "folder"
> & { passwordSealed: string | null };

/**
 * Returns the SQL condition that the project exists, and that the change has a password, keeps
 * host, port and user, or clears the host. It checks the stored row, not one from an earlier read.
 */
export function mayChangeMailbox({
  projectId,
  host,
  port,
  user,
  passwordSealed,
}: MailboxChange): SQL {
  const isFree = sql`${passwordSealed !== null || host === "" ? 1 : 0}`;
  return sql`${projectExists(projectId)} and (${isFree} or not exists (
    select 1 from bounce_imap where project_id = ${projectId} and password_sealed <> ''
      and (host <> ${host} or port <> ${port} or user <> ${user})))`;
}

/**
 * Saves the settings if the condition holds, clears the last error, and returns the row. An empty
 * host removes the password.
 */
export function saveMailboxRow(db: Database, change: MailboxChange, when: SQL) {
  const { projectId, enabled, host, port, user, folder, passwordSealed } = change;
  const settings = { enabled, host, port, user, folder, lastError: "", failingSince: null };
  const kept = host === "" ? "" : sql`${bounceImap.passwordSealed}`;
  return db
    .insert(bounceImap)
    .select(
      sql`select ${projectId}, ${enabled ? 1 : 0}, ${host}, ${port}, ${user}, ${passwordSealed ?? ""}, ${folder}, null, '', null
        where ${when}`,
    )
    .onConflictDoUpdate({
      target: bounceImap.projectId,
      set: { ...settings, passwordSealed: passwordSealed ?? kept },
    })
    .returning();
}

/** Selects the projects with an enabled mailbox after `afterId`, in the order of their ids. */
export function selectEnabledProjects(db: Database, afterId: string, limit: number) {
  return db
    .select({ projectId: bounceImap.projectId })
    .from(bounceImap)
    .where(and(eq(bounceImap.enabled, true), gt(bounceImap.projectId, afterId)))
    .orderBy(asc(bounceImap.projectId))
    .limit(limit);
}

/**
 * Claims a mailbox unless a poll has updated `last_polled_at` since `quietSince`. Returns a row on
 * success.
 */
export function claimMailbox(db: Database, projectId: string, now: number, quietSince: number) {
  return db
    .update(bounceImap)
    .set({ lastPolledAt: now })
    .where(
      and(
        eq(bounceImap.projectId, projectId),
        eq(bounceImap.enabled, true),
        sql`coalesce(${bounceImap.lastPolledAt}, 0) <= ${quietSince}`,
        projectExists(projectId),
      ),
    )
    .returning();
}

/** Selects the given projects that poll the same account as this one. */
export function selectSharing(db: Database, projectId: string, others: string[]) {
  return db.all<{ id: string }>(
    sql`select o.project_id as id from json_each(${JSON.stringify(others)})
      cross join bounce_imap o on o.project_id = value and o.enabled
      join bounce_imap m on m.project_id = ${projectId}
        and (m.host, m.port, m.user) = (o.host, o.port, o.user)`,
  );
}

/** Records that a poll is still running. */
export function touchMailbox(db: Database, projectId: string, now: number) {
  return db
    .update(bounceImap)
    .set({ lastPolledAt: now })
    .where(eq(bounceImap.projectId, projectId));
}

/** Records the end of a poll, and its error as JSON, if any. */
export function finishPoll(db: Database, projectId: string, now: number, fault?: Message) {
  const failingSince = fault ? sql<number>`coalesce(${bounceImap.failingSince}, ${now})` : null;
  const lastError = fault ? JSON.stringify(fault) : "";
  return db
    .update(bounceImap)
    .set({ lastPolledAt: now, lastError, failingSince })
    .where(eq(bounceImap.projectId, projectId));
}

/**
 * Returns the SQL condition that polls of this mailbox have been failing at least since this time.
 */
export function hasFailedSince(projectId: string, since: number) {
  return sql`exists (select 1 from bounce_imap where project_id = ${projectId} and enabled and failing_since <= ${since})`;
}

/** Selects the ingest token of a project: at most one row. */
export function selectToken(db: Database, projectId: string) {
  return db.select().from(bounceTokens).where(eq(bounceTokens.projectId, projectId));
}

/** Stores the first token of an existing project. An existing token stays. */
export function insertToken(db: Database, token: TokenRow) {
  return db.run(sql`${insertTokenSql(token)} on conflict (project_id) do nothing`);
}

/** Stores a token in place of the old one. */
export function replaceToken(db: Database, token: TokenRow) {
  return db.run(
    sql`${insertTokenSql(token)} on conflict (project_id) do update set
      token_hash = excluded.token_hash, token_sealed = excluded.token_sealed, rotated_at = excluded.rotated_at`,
  );
}

const insertTokenSql = ({ projectId, tokenHash, tokenSealed, rotatedAt }: TokenRow) =>
  sql`insert into bounce_tokens (project_id, token_hash, token_sealed, rotated_at)
    select ${projectId}, ${tokenHash}, ${tokenSealed}, ${rotatedAt} where ${projectExists(projectId)}`;

/** Selects the project's subscribers with these addresses. */
export function selectSubscribersByEmail(db: Database, projectId: string, emails: string[]) {
  return db.all<{ id: string; email: string }>(
    sql`select s.id, s.email from json_each(${JSON.stringify(emails)})
      cross join subscribers s on s.project_id = ${projectId} and s.email = value`,
  );
}
