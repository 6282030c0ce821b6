import type { Ctx } from "../../context.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { addressName, shardOf, take } from "./ask-limiter.ts";
import { mailboxName } from "./mailbox-name.ts";
import type { Limit, Verdict } from "../../lib/sliding-window.ts";

/**
 * The limits of actions that make the service send mail or that present tokens. The values are our
 * own choice. They allow for a few typos an hour and keep every inbox from filling up.
 */
const LIMITS = {
  /** Mails of one kind to one address. */
  mail: { limit: 3, windowMs: HOUR_MS },
  /** Password resets requested by one client. */
  forgot: { limit: 10, windowMs: HOUR_MS },
  /** Invitations by one user, and from one client address. */
  invite: { limit: 30, windowMs: HOUR_MS },
  /** Invitations of the entire service. */
  invites: { limit: 1_000, windowMs: HOUR_MS },
  /** Tokens presented by one client. */
  token: { limit: 10, windowMs: 60_000 },
} as const satisfies Record<string, Limit>;

/** Counts one mail to a mailbox (mailbox-name.ts). */
export function takeMailTo(
  ctx: Ctx,
  kind: "confirm" | "invitation",
  email: string,
): Promise<Verdict> {
  return takeNamed(ctx, "mail", `${kind} ${mailboxName(email)}`);
}

/**
 * Counts one password reset link to an address. Other spellings of the mailbox do not count,
 * because a stranger could request them to lock out the owner. Unverified accounts do count by
 * mailbox, because anyone can register many spellings of one mailbox.
 */
export function takeResetTo(ctx: Ctx, email: string, countsByAddress: boolean): Promise<Verdict> {
  const name = countsByAddress ? `reset ${email}` : `reset of mailbox ${mailboxName(email)}`;
  return takeNamed(ctx, "mail", name);
}

/** Counts one request by client address. Returns undefined if the address is unknown. */
export async function consumeClientLimit(
  ctx: Ctx,
  action: "forgot" | "token" | "invite",
): Promise<Verdict | undefined> {
  return ctx.clientIp === "" ? undefined : takeNamed(ctx, action, addressName(ctx));
}

/**
 * Counts one invitation by its sender, by client address, for the entire service and by the invited
 * mailbox, until one limit rejects it. Returns that verdict, or else the sender's, which reveals
 * nothing about other senders.
 */
export async function takeInvitation(ctx: Ctx, userId: string, email: string): Promise<Verdict> {
  const own = await takeNamed(ctx, "invite", userId);
  const others = [
    () => consumeClientLimit(ctx, "invite"),
    () => takeNamed(ctx, "invites", "all"),
    () => takeMailTo(ctx, "invitation", email),
  ];
  for (const next of own.allowed ? others : []) {
    const verdict = await next();
    if (verdict && !verdict.allowed) return verdict;
  }
  return own;
}

function takeNamed(ctx: Ctx, action: keyof typeof LIMITS, name: string): Promise<Verdict> {
  const hash = sha256Hex(name);
  const { limit, windowMs } = LIMITS[action];
  return take(ctx, shardOf(action, hash), hash, limit, windowMs);
}
