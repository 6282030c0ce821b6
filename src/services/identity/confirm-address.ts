import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, runBatchAfter } from "../../db/client.ts";
import { isUniqueViolation } from "../../db/constraint-violation.ts";
import { refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { UserActor } from "../access/index.ts";
import { deleteUserTokens, tokenSubject } from "../accounts/index.ts";
import { auditStatement } from "../audit/index.ts";
import { noSender, addServiceMail, senderId, wakeServiceMail } from "../service-mail/index.ts";
import { leaveAddress } from "./change-address.ts";
import { linkIsOver } from "./forgotten-password.ts";

/**
 * Verifies the actor's address with a confirmation link, once, or gives the account the address that
 * the link was sent to. It requires both session and token: the reader of the mail did not
 * necessarily choose the password, so someone who registers another person's address gets no
 * verified account when its owner follows the link. An account whose password its creator knows is
 * not verified by a new address. Throws 400 for a token that is invalid or belongs to another
 * account, and 409 for a new address that has an account.
 */
export async function confirmAddress(ctx: Ctx, actor: UserActor, token: string): Promise<void> {
  const { db, now } = ctx.deps;
  const { userId: id, email } = actor;
  const at = now();
  const tokenHash = sha256Hex(token);
  const isOwn = sql`${tokenSubject("confirm", tokenHash, at)} = ${id}`;
  const holds = sql`${isOwn} and exists (select 1 from users where id = ${id} and email = ${email})`;
  const fresh = sql`(select email from mailed_tokens where token_hash = ${tokenHash})`;
  const fact = { scopeId: id, userId: id, action: "user.address_confirmed" } as const;
  const before = [
    auditStatement(ctx, fact, sql`${holds} and ${fresh} is null`),
    ...leaveAddress(ctx, actor, sql`${holds} and ${fresh} is not null`),
  ];
  try {
    const [confirmed] = await runBatchAfter(db, before, [
      db.all(
        sql`update users set email = coalesce(${fresh}, email),
            verified_at = coalesce(verified_at, iif(${fresh} is null or created_by is null, ${at}, null))
          where id = ${id} and ${holds} returning id`,
      ),
      deleteUserTokens(db, "confirm", sql`iif(${isOwn}, ${id}, null)`),
    ]);
    if (confirmed.length === 0) throw linkIsOver();
  } catch (error) {
    if (isUniqueViolation(error, "users.email")) throw refusal("email_registered", {});
    throw error;
  }
}

/**
 * Sends the actor another confirmation link, or a link to set a password if another user created
 * the account and so knows the current one. The session authorizes the call; the HTTP layer
 * rate-limits it. Throws 409 while the service has no sender, and for an address that is already
 * verified.
 */
export async function mailConfirmation(ctx: Ctx, { userId, email }: UserActor): Promise<void> {
  const { deps } = ctx;
  const isOpen = sql`exists (select 1 from users where id = ${userId} and verified_at is null)`;
  const isOwn = sql`exists (select 1 from users where id = ${userId} and created_by is null)`;
  const mails = [
    addServiceMail(deps, "confirm", { to: email, userId }, sql`${isOpen} and ${isOwn}`),
    addServiceMail(deps, "reset", { to: email }, sql`${isOpen} and not ${isOwn}`),
  ];
  const [standing] = await runBatch(deps.db, [
    deps.db.all<{ isOpen: number; hasSender: number }>(
      sql`select ${isOpen} as "isOpen", ${senderId()} is not null as "hasSender"`,
    ),
    ...mails.map(({ statement }) => statement),
  ]);
  const [before] = standing;
  if (before?.hasSender !== 1) throw noSender();
  if (before.isOpen !== 1) throw refusal("address_confirmed_already", {});
  deps.waitUntil(wakeServiceMail(deps));
}
