import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Statement } from "../../db/client.ts";
import type { EmailAddress } from "../../mail/address.ts";
import type { UserActor } from "../access/index.ts";
import { deletePendingResets, deleteUserTokens, requirePassword } from "../accounts/index.ts";
import { auditStatement } from "../audit/index.ts";
import {
  addServiceMail,
  requireSender,
  selectSender,
  wakeServiceMail,
} from "../service-mail/index.ts";

/**
 * Sends a link to a new address of the actor; `confirmAddress` makes the change. Until then nothing
 * changes, and nothing reveals whether the address has an account. Authorized by the session and the
 * current password; the HTTP layer rate-limits it. Throws 400 for a wrong password, and 409 while
 * the service has no sender.
 */
export async function changeAddress(
  ctx: Ctx,
  { userId, email: from }: UserActor,
  input: { email: EmailAddress; currentPassword: string },
): Promise<void> {
  const { deps } = ctx;
  await requirePassword(ctx, userId, input.currentPassword);
  const { statement } = addServiceMail(deps, "confirm", { to: input.email, userId, from });
  const [senders] = await runBatch(deps.db, [selectSender(deps.db), statement]);
  requireSender(senders);
  deps.waitUntil(wakeServiceMail(deps));
}

/**
 * Returns the statements that go with a change of the actor's address, if `when` holds: they revoke
 * the reset links that went to the former one, and tell its reader, if it was verified.
 */
export function leaveAddress(
  ctx: Ctx,
  { userId: id, email }: UserActor,
  when: SQL,
): [Statement, ...Statement[]] {
  const { deps } = ctx;
  const notice = {
    to: email,
    title: "Your email address was changed",
    text: "Your account now has another email address, and this one no longer signs in. If you did not change it, tell the operator of this service.",
    project: "",
  };
  const wasVerified = sql`exists (select 1 from users where id = ${id} and verified_at is not null)`;
  return [
    addServiceMail(deps, "notice", notice, sql`${when} and ${wasVerified}`).statement,
    auditStatement(ctx, { scopeId: id, action: "user.email_changed" }, when),
    deletePendingResets(deps.db, email, when),
    deleteUserTokens(deps.db, "reset", sql`iif(${when}, ${id}, null)`),
  ];
}
