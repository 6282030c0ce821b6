import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";

/** The notice to a user whose workspaces were cleared. */
export const CLEARED_NOTICE = {
  title: "API keys and members were removed",
  text:
    "Your new password was set through the first link that proves this address is yours. Someone else may have used the account before. " +
    "The service therefore revoked the API keys and the ingest URLs of the workspaces that the account had created, removed their other members and invitations, and paused their webhooks. " +
    "Before you use their projects, check the mail servers and webhooks.",
  project: "",
};

/** What the first verification of an address revokes (decision D35). */
export interface Clearance {
  /** The statements that revoke it. They run before the one that verifies the address. */
  statements: Statement[];
  /**
   * An SQL expression for the counts of what is revoked, as JSON; `{}` unless this is a first
   * verification.
   */
  counts: SQL<string>;
  /** The condition that anything is revoked. */
  isAny: SQL;
}

/**
 * Returns the statements that leave the user as the only member of the workspaces that the account
 * created. They delete API keys, ingest URLs, invitations and the memberships of others, and pause
 * webhooks. They do nothing unless `when` holds and the address is unverified: until then, another
 * person who created the account may have used it.
 */
export function clearWorkspaces({ db }: Deps, userId: string, when: SQL): Clearance {
  const isFirst = sql`exists (select 1 from users where id = ${userId} and verified_at is null and ${when})`;
  const own = sql`select w.id from workspace_members m cross join workspaces w
    on w.id = m.workspace_id and w.created_by = m.user_id
    where m.user_id = ${userId} and m.role = 'owner' and ${isFirst}`;
  const projects = sql`select id from projects where workspace_id in (${own})`;
  const keys = sql`api_keys where project_id in (${projects})`;
  const urls = sql`bounce_tokens where project_id in (${projects})`;
  const hooks = sql`auth_hooks where project_id in (${projects})`;
  const invitations = sql`workspace_invitations where workspace_id in (${own})`;
  const members = sql`workspace_members where workspace_id in (${own}) and user_id <> ${userId}`;
  const webhooks = sql`webhooks where project_id in (${projects}) and active`;
  const removed = [keys, urls, hooks, invitations, members];
  const count = (what: SQL) => sql`(select count(*) from ${what})`;
  const exists = (what: SQL) => sql`exists (select 1 from ${what})`;
  return {
    statements: [
      ...removed.map((what) => db.run(sql`delete from ${what}`)),
      db.run(sql`update webhooks set active = 0 where id in (select id from ${webhooks})`),
    ],
    counts: sql`iif(${isFirst}, json_object('api_keys', ${count(keys)},
      'ingest_urls', ${count(urls)}, 'invitations', ${count(invitations)},
      'members', ${count(members)}, 'webhooks', ${count(webhooks)}), '{}')`,
    isAny: sql`(${sql.join([...removed, webhooks].map(exists), sql` or `)})`,
  };
}
