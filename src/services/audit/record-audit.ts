import { is, SQL, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { auditEntries } from "../../db/schema/index.ts";
import { ulidTime } from "../../lib/ids.ts";

/** Every action of the audit trail (API reference §16.5). */
export type AuditAction =
  | "user.login"
  | "user.login_failed"
  | "user.session_ended"
  | "user.password_changed"
  | "user.password_reset"
  | "user.address_confirmed"
  | "service.mail_update"
  | "service.dead_letter_replay"
  | "project.create"
  | "project.update"
  | "project.delete"
  | "project.export"
  | "project.import"
  | "list.export"
  | "subscriber.export"
  | "smtp.update"
  | "sending.update"
  | "bounce_imap.update"
  | "bounce_settings.update"
  | "audience_settings.update"
  | "bounce_token.rotate"
  | "bounce_ingest.update"
  | "bounce_ingest.subscribed"
  | "bounce_ingest.unsubscribed"
  | "audience.import"
  | "import.create"
  | "suppression.add"
  | "suppression.delete"
  | "subscriber.erase"
  | "subscriber.erasure_lifted"
  | "api_key.create"
  | "api_key.revoke"
  | "template.create"
  | "template.update"
  | "template.delete"
  | "topic.create"
  | "topic.update"
  | "topic.delete"
  | "subscriber.topics"
  | "broadcast.create"
  | "broadcast.update"
  | "broadcast.delete"
  | "broadcast.undo"
  | "broadcast.winner"
  | "segment.create"
  | "segment.update"
  | "segment.delete"
  | "field.create"
  | "field.update"
  | "field.delete"
  | "broadcast.send"
  | "broadcast.pause"
  | "broadcast.resume"
  | "broadcast.cancel"
  | "webhook.create"
  | "webhook.update"
  | "webhook.delete"
  | "workspace.create"
  | "workspace.rename"
  | "workspace.delete"
  | "workspace.member_added"
  | "workspace.member_role_changed"
  | "workspace.member_removed"
  | "workspace.user_created"
  | "workspace.invitation_sent"
  | "workspace.invitation_resent"
  | "workspace.invitation_withdrawn"
  | "workspace.invitation_accepted";

export interface AuditFact {
  /** The project, workspace or account (the user's id) that lists the entry. */
  scopeId: string;
  action: AuditAction;
  targetType:
    | "project"
    | "api_key"
    | "webhook"
    | "suppression"
    | "workspace"
    | "template"
    | "topic"
    | "segment"
    | "field"
    | "import"
    | "subscriber"
    | "broadcast"
    | "session"
    | "dead_letter"
    | "user";
  targetId: string;
  /**
   * Details of the entry; never a password, key, token or body. An SQL expression builds the JSON
   * object from values that only the batch knows.
   */
  metadata?: Record<string, string | number | boolean | readonly string[]> | SQL;
  /** The user if it differs from the actor, as in a registration. */
  userId?: string;
}

/** An account event. `userId` is missing if the account is unknown. */
export interface AccountFact {
  action: "user.login" | "user.login_failed";
  userId: string | undefined;
}

/**
 * Returns the statement that writes one audit entry. Run it in the same batch as the write that it
 * records. With `when`, it writes the entry only if the condition holds at this point of the batch.
 * `created_at` is the time in the id, so a range of times is a range of the primary key.
 */
export function auditStatement(ctx: Ctx, fact: AuditFact, when: SQL = sql`true`) {
  const { actor } = ctx;
  const userId = fact.userId ?? (actor.kind === "user" ? actor.userId : null);
  return insertEntries(ctx, { ...fact, userId }, sql`(select ${fact.scopeId} as scope_id)`, when);
}

/**
 * Returns the statement that writes an account event as one entry with one id. The entry goes to
 * the user's own account. A login also goes to each workspace that the user has joined, but not to
 * one whose owner merely added the user.
 * A failed login writes one row for every address, so timing does not reveal whether an account
 * exists. Without a user, the entry has the scope "".
 */
export function accountAuditStatement(
  ctx: Ctx,
  { action, userId }: AccountFact,
  when: SQL = sql`true`,
) {
  const account = sql`select ${userId ?? ""} as scope_id`;
  const workspaces = sql`select workspace_id from workspace_members where user_id = ${userId ?? null} and accepted`;
  const scopes =
    action === "user.login" ? sql`(${account} union all ${workspaces})` : sql`(${account})`;
  const fact = { action, targetType: "user", targetId: userId ?? "" } as const;
  return insertEntries(ctx, { ...fact, userId: userId ?? null }, scopes, when);
}

/** Returns the statement that writes one entry per `scope_id` of a subquery. */
function insertEntries(
  { deps, clientIp, userAgent }: Ctx,
  fact: Omit<AuditFact, "scopeId" | "userId"> & { userId: string | null },
  scopes: SQL,
  when: SQL,
) {
  const { metadata: given = {} } = fact;
  const metadata = is(given, SQL) ? given : JSON.stringify(given);
  const id = deps.newUlid();
  return deps.db.run(
    sql`insert into ${auditEntries} (id, scope_id, user_id, action, target_type, target_id, metadata, ip_address, user_agent, created_at)
      select ${id}, scope_id, ${fact.userId}, ${fact.action}, ${fact.targetType}, ${fact.targetId}, ${metadata}, ${clientIp}, ${userAgent}, ${ulidTime(id)}
      from ${scopes} where ${when}`,
  );
}
