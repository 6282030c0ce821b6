import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, runBatchAfter } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { logLine } from "../../lib/log-line.ts";
import { hashPassword } from "../../lib/password-hash.ts";
import type { EmailAddress } from "../../mail/address.ts";
import {
  deletePendingResets,
  deleteUserTokens,
  selectVerificationOf,
  tokenSubject,
} from "../accounts/index.ts";
import { auditStatement } from "../audit/index.ts";
import { takeResetTo } from "../limits/index.ts";
import {
  addServiceMail,
  requireSender,
  selectSender,
  wakeServiceMail,
} from "../service-mail/index.ts";
import { CLEARED_NOTICE, clearWorkspaces } from "./clear-workspaces.ts";

/** Returns the error for a token that is unknown, used or expired, without telling which. */
export const linkIsOver = () => refusal("link_over", {});

/**
 * Sends a password reset link to an address. It does the same work whether or not the address has
 * an account, because the mail is composed later. Beyond a few links an hour it silently does
 * nothing. Anyone may call it; the HTTP layer rate-limits the calls. Throws 409 while the service
 * has no sender.
 */
export async function forgetPassword(ctx: Ctx, email: EmailAddress): Promise<void> {
  const { deps } = ctx;
  const [senders, [account]] = await runBatch(deps.db, [
    selectSender(deps.db),
    selectVerificationOf(deps.db, email),
  ]);
  requireSender(senders);
  const { allowed } = await takeResetTo(ctx, email, account?.isVerified !== 0);
  if (!allowed) return;
  const pending = addServiceMail(deps, "reset", { to: email });
  await runBatch(deps.db, [pending.statement]);
  deps.waitUntil(wakeServiceMail(deps));
}

/**
 * Sets a new password for the account of a reset link, once. The link proves the address. The reset
 * ends all sessions and access tokens of the user and every other reset link, including those not sent yet. If it is
 * the first verification of the address, it also revokes what others could still use (decision
 * D35), and emails a notice. The token authorizes the call. Throws 400 for an invalid token.
 */
export async function resetPassword(
  ctx: Ctx,
  input: { token: string; password: string },
): Promise<void> {
  const { deps } = ctx;
  const { db, now } = deps;
  const at = now();
  const userId = tokenSubject("reset", sha256Hex(input.token), at);
  const [user] = await db.all<{ id: string; email: string; isFirst: number }>(
    sql`select id, email, verified_at is null as "isFirst" from users where id = ${userId}`,
  );
  if (!user) throw linkIsOver(); // before the expensive hash
  const passwordHash = await hashPassword(input.password);
  const holds = sql`${userId} = ${user.id}`;
  const { statements, counts, isAny } = clearWorkspaces(deps, user.id, holds);
  const fact = {
    scopeId: user.id,
    userId: user.id,
    action: "user.password_reset",
    metadata: counts,
  } as const;
  const notice = addServiceMail(deps, "notice", { to: user.email, ...CLEARED_NOTICE }, isAny);
  // The sweep sends the notice.
  const before = [auditStatement(ctx, fact, holds), notice.statement, ...statements];
  const [changed] = await runBatchAfter(db, before, [
    db.all(
      sql`update users set password_hash = ${passwordHash}, updated_at = ${at}, verified_at = coalesce(verified_at, ${at})
        where id = ${user.id} and ${holds} returning id`,
    ),
    db.run(sql`delete from sessions where user_id = ${user.id} and ${holds}`),
    deletePendingResets(db, user.email, holds),
    deleteUserTokens(db, "reset", userId),
  ]);
  if (changed.length === 0) throw linkIsOver();
  if (user.isFirst === 1) logLine("warn", "account_cleared", { userId: user.id });
}
