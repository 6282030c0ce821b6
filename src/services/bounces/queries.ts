import { and, asc, desc, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { bounceImap, bounceTokens, broadcasts } from "../../db/schema/index.ts";
import { projectExists } from "../projects/index.ts";

export type MailboxRow = typeof bounceImap.$inferSelect;
export type TokenRow = typeof bounceTokens.$inferSelect;

/** The bounce mailbox of a project: at most one row. */
export function selectMailbox(db: Database, projectId: string) {
  return db.select().from(bounceImap).where(eq(bounceImap.projectId, projectId));
}

/** Settings about to be saved; the stored password stays when `passwordSealed` is null. */
export type MailboxChange = Pick<
  MailboxRow,
  "projectId" | "enabled" | "host" | "port" | "user" | "folder"
> & { passwordSealed: string | null };

/**
 * A condition for use in a batch: the project exists, and the change brings a password, leaves host,
 * port and user as they are, or clears the host. The stored row decides, not one that was read before.
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
 * Saves the settings where `mayChangeMailbox` holds, forgets the error of the old ones, and returns
 * the row. Clearing the host removes the password.
 */
export function saveMailboxRow(db: Database, change: MailboxChange) {
  const { projectId, enabled, host, port, user, folder, passwordSealed } = change;
  const settings = { enabled, host, port, user, folder, lastError: "", failingSince: null };
  const kept = host === "" ? "" : sql`${bounceImap.passwordSealed}`;
  return db
    .insert(bounceImap)
    .select(
      sql`select ${projectId}, ${enabled ? 1 : 0}, ${host}, ${port}, ${user}, ${passwordSealed ?? ""}, ${folder}, null, '', null
        where ${mayChangeMailbox(change)}`,
    )
    .onConflictDoUpdate({
      target: bounceImap.projectId,
      set: { ...settings, passwordSealed: passwordSealed ?? kept },
    })
    .returning();
}

/** Projects whose mailbox is to be polled, in the order of their ids, after `afterId`. */
export function selectEnabledProjects(db: Database, afterId: string, limit: number) {
  return db
    .select({ projectId: bounceImap.projectId })
    .from(bounceImap)
    .where(and(eq(bounceImap.enabled, true), gt(bounceImap.projectId, afterId)))
    .orderBy(asc(bounceImap.projectId))
    .limit(limit);
}

/** Takes a mailbox in hand unless a poll moved `last_polled_at` after `quietSince`; a row comes back if it did. */
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

/** Shows that a poll goes on. */
export function touchMailbox(db: Database, projectId: string, now: number) {
  return db
    .update(bounceImap)
    .set({ lastPolledAt: now })
    .where(eq(bounceImap.projectId, projectId));
}

/** Writes down how a poll ended; `error` is "" when it went well. */
export function finishPoll(db: Database, projectId: string, now: number, error: string) {
  const failingSince =
    error === "" ? null : sql<number>`coalesce(${bounceImap.failingSince}, ${now})`;
  return db
    .update(bounceImap)
    .set({ lastPolledAt: now, lastError: error, failingSince })
    .where(eq(bounceImap.projectId, projectId));
}

/** A condition for use in a batch: polls of this mailbox have failed since then, or for longer. */
export function hasFailedSince(projectId: string, since: number) {
  return sql`exists (select 1 from bounce_imap where project_id = ${projectId} and enabled and failing_since <= ${since})`;
}

/** The ingest token of a project: at most one row. */
export function selectToken(db: Database, projectId: string) {
  return db.select().from(bounceTokens).where(eq(bounceTokens.projectId, projectId));
}

/** Stores the first token of a project that is there; one that is there already stays. */
export function insertToken(db: Database, token: TokenRow) {
  return db.run(sql`${insertTokenSql(token)} on conflict (project_id) do nothing`);
}

/** Stores a token in place of the one before. */
export function replaceToken(db: Database, token: TokenRow) {
  return db.run(
    sql`${insertTokenSql(token)} on conflict (project_id) do update set
      token_hash = excluded.token_hash, token_sealed = excluded.token_sealed, rotated_at = excluded.rotated_at`,
  );
}

const insertTokenSql = ({ projectId, tokenHash, tokenSealed, rotatedAt }: TokenRow) =>
  sql`insert into bounce_tokens (project_id, token_hash, token_sealed, rotated_at)
    select ${projectId}, ${tokenHash}, ${tokenSealed}, ${rotatedAt} where ${projectExists(projectId)}`;

/** A mail of the log as bounces find it. */
export interface LoggedMail {
  id: string;
  toEmail: string;
  /** Milliseconds. */
  sentAt: number;
}

const LOGGED_MAIL = sql.raw(`l.id, l.to_email as "toEmail", l.sent_at as "sentAt"`);

/** The project's log entries among these ids: one look-up each by primary key. */
export function selectMailsById(db: Database, projectId: string, ids: string[]) {
  return db.all<LoggedMail>(
    sql`select ${LOGGED_MAIL} from json_each(${JSON.stringify(ids)}) cross join email_logs l on l.id = value
      where l.project_id = ${projectId}`,
  );
}

/** The newest log entry outside broadcasts of each of these addresses. */
export function selectNewestMails(db: Database, projectId: string, emails: string[]) {
  return db.all<LoggedMail>(
    sql`with newest as (
        select (select id from email_logs indexed by email_logs_by_recipient
          where project_id = ${projectId} and to_email = value and broadcast_id is null
          order by sent_at desc, id desc limit 1) as id
        from json_each(${JSON.stringify(emails)}))
      select ${LOGGED_MAIL} from newest cross join email_logs l on l.id = newest.id`,
  );
}

/** The project's subscribers among these addresses. */
export function selectSubscribersByEmail(db: Database, projectId: string, emails: string[]) {
  return db.all<{ id: string; email: string }>(
    sql`select s.id, s.email from json_each(${JSON.stringify(emails)})
      cross join subscribers s on s.project_id = ${projectId} and s.email = value`,
  );
}

/** What the log ids of the newest broadcasts are told from. */
export function selectNewestBroadcasts(db: Database, projectId: string, limit: number) {
  return db
    .select({ logKey: broadcasts.logKey, createdAt: broadcasts.createdAt })
    .from(broadcasts)
    .where(eq(broadcasts.projectId, projectId))
    .orderBy(desc(broadcasts.id))
    .limit(limit);
}
