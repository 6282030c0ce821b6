import { is, SQL, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { auditEntries } from "../../db/schema/index.ts";
import { ulidTime } from "../../lib/ids.ts";

/** Every action of the audit trail (API reference §16.5), with the type of its target. */
const TARGETS = {
  "user.login": "user",
  "user.login_failed": "user",
  "user.session_ended": "session",
  "user.token_created": "access_token",
  "user.token_ended": "access_token",
  "user.update": "user",
  "user.email_changed": "user",
  "user.password_changed": "user",
  "user.password_reset": "user",
  "user.address_confirmed": "user",
  "service.mail_update": "project",
  "service.dead_letter_replay": "dead_letter",
  "project.create": "project",
  "project.update": "project",
  "project.delete": "project",
  "project.export": "project",
  "project.import": "project",
  "list.export": "project",
  "subscriber.export": "subscriber",
  "smtp.update": "project",
  "sending.update": "project",
  "bounce_imap.update": "project",
  "bounce_settings.update": "project",
  "audience_settings.update": "project",
  "mail_settings.update": "project",
  "bounce_token.rotate": "project",
  "bounce_ingest.update": "project",
  "auth_hook.update": "project",
  "auth_hook.rotate": "project",
  "bounce_ingest.subscribed": "project",
  "bounce_ingest.unsubscribed": "project",
  "audience.import": "project",
  "import.create": "import",
  "suppression.add": "suppression",
  "suppression.delete": "suppression",
  "subscriber.erase": "subscriber",
  "subscriber.erasure_lifted": "subscriber",
  "api_key.create": "api_key",
  "api_key.revoke": "api_key",
  "template.create": "template",
  "template.update": "template",
  "template.delete": "template",
  "saved_block.create": "saved_block",
  "saved_block.delete": "saved_block",
  "image.create": "image",
  "image.update": "image",
  "image.delete": "image",
  "topic.create": "topic",
  "topic.update": "topic",
  "topic.delete": "topic",
  "subscriber.topics": "subscriber",
  "broadcast.create": "broadcast",
  "broadcast.update": "broadcast",
  "broadcast.delete": "broadcast",
  "broadcast.undo": "broadcast",
  "broadcast.winner": "broadcast",
  "broadcast.archive": "broadcast",
  "segment.create": "segment",
  "segment.update": "segment",
  "segment.delete": "segment",
  "field.create": "field",
  "field.update": "field",
  "field.delete": "field",
  "form.create": "form",
  "form.update": "form",
  "form.delete": "form",
  "broadcast.send": "broadcast",
  "broadcast.pause": "broadcast",
  "broadcast.resume": "broadcast",
  "broadcast.cancel": "broadcast",
  "automation.created": "automation",
  "automation.changed": "automation",
  "automation.started": "automation",
  "automation.paused": "automation",
  "automation.stopped": "automation",
  "automation.deleted": "automation",
  "automation.entered": "automation",
  "webhook.create": "webhook",
  "webhook.update": "webhook",
  "webhook.delete": "webhook",
  "workspace.create": "workspace",
  "workspace.rename": "workspace",
  "workspace.delete": "workspace",
  "workspace.member_added": "workspace",
  "workspace.member_role_changed": "workspace",
  "workspace.member_removed": "workspace",
  "workspace.user_created": "workspace",
  "workspace.invitation_sent": "workspace",
  "workspace.invitation_resent": "workspace",
  "workspace.invitation_withdrawn": "workspace",
  "workspace.invitation_accepted": "workspace",
} as const;

export type AuditAction = keyof typeof TARGETS;

export interface AuditFact {
  /** The project, workspace or account (the user's id) that lists the entry. */
  scopeId: string;
  action: AuditAction;
  /** The scope itself by default. */
  targetId?: string;
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
  const { scopeId, targetId = scopeId } = fact;
  const userId = fact.userId ?? (actor.kind === "user" ? actor.userId : null);
  const scopes = sql`(select ${scopeId} as scope_id)`;
  return insertEntries(ctx, { ...fact, targetId, userId }, scopes, when);
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
  const fact = { action, targetId: userId ?? "" };
  return insertEntries(ctx, { ...fact, userId: userId ?? null }, scopes, when);
}

/**
 * Returns the statement that writes one entry per `scope_id` of a subquery. Its metadata names the
 * access token of the request.
 */
function insertEntries(
  { deps, actor, clientIp, userAgent }: Ctx,
  fact: Omit<AuditFact, "scopeId" | "userId"> & { targetId: string; userId: string | null },
  scopes: SQL,
  when: SQL,
) {
  const { metadata: given = {} } = fact;
  const stated = is(given, SQL) ? given : JSON.stringify(given);
  const token = actor.kind === "user" ? actor.accessToken : undefined;
  const metadata = token ? sql`json_set(${stated}, '$.access_token', ${token.name})` : stated;
  const id = deps.newUlid();
  return deps.db.run(
    sql`insert into ${auditEntries} (id, scope_id, user_id, action, target_type, target_id, metadata, ip_address, user_agent, created_at)
      select ${id}, scope_id, ${fact.userId}, ${fact.action}, ${TARGETS[fact.action]}, ${fact.targetId}, ${metadata}, ${clientIp}, ${userAgent}, ${ulidTime(id)}
      from ${scopes} where ${when}`,
  );
}
