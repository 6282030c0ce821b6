import type { Ctx } from "../../context.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { addressName, shardOf, take } from "./ask-limiter.ts";
import { mailboxName } from "./mailbox-name.ts";
import type { Limit, Verdict } from "../../lib/sliding-window.ts";

/**
 * The limits of actions that make the service send mail, and of tokens that it shows. The values
 * are our own choice. They cover a few typing errors an hour and keep every inbox from filling up.
 */
const LIMITS = {
  /** The mails of one kind to one address. */
  mail: { limit: 3, windowMs: HOUR_MS },
  /** The password resets that one client requests. */
  forgot: { limit: 10, windowMs: HOUR_MS },
  /** The invitations that one person sends, and those from one client address. */
  invite: { limit: 30, windowMs: HOUR_MS },
  /** The invitations of the whole service. */
  invites: { limit: 1_000, windowMs: HOUR_MS },
  /** The tokens that one client sees. */
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
 * Counts one password link to an address. Requests for other spellings do not count for it, or a
 * stranger who makes them would keep the link from its owner. But anybody can register many
 * spellings of one mailbox, so unverified accounts count by their mailbox.
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
 * Counts one invitation by its sender, by client address, for the service and by the invited
 * mailbox, until one refuses. Returns that refusal, or else the verdict of the sender: nothing shows
 * what others sent.
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
