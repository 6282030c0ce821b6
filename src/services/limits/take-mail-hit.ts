import type { Ctx } from "../../context.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { addressName, take } from "./take-hit.ts";
import type { Limit, Verdict } from "../../lib/sliding-window.ts";

/**
 * Limits of what makes the service mail somebody, and of tokens that are shown; ours. A person who
 * mistypes needs a few an hour, and nobody's inbox is filled.
 */
const LIMITS = {
  /** Mails of one kind to one address. */
  mail: { limit: 3, windowMs: HOUR_MS },
  /** Forgotten passwords of one client. */
  forgot: { limit: 10, windowMs: HOUR_MS },
  /** Invitations of one person. */
  invite: { limit: 30, windowMs: HOUR_MS },
  /** Tokens shown by one client. */
  token: { limit: 10, windowMs: 60_000 },
} as const satisfies Record<string, Limit>;

/** Counts one mail to an address; what follows a + in it makes no other address of it. */
export function takeMailTo(
  ctx: Ctx,
  kind: "reset" | "confirm" | "invitation",
  email: string,
): Promise<Verdict> {
  const target = email.replace(/\+[^@]*(?=@[^@]*$)/, "");
  return takeNamed(ctx, "mail", `${kind} ${target}`);
}

/** Counts one request by client address. Undefined where no address is known. */
export async function takeClientHit(
  ctx: Ctx,
  action: "forgot" | "token",
): Promise<Verdict | undefined> {
  return ctx.clientIp === "" ? undefined : takeNamed(ctx, action, addressName(ctx));
}

/** Counts one invitation by the person who sends it. */
export function takeInvitation(ctx: Ctx, userId: string): Promise<Verdict> {
  return takeNamed(ctx, "invite", userId);
}

function takeNamed(ctx: Ctx, action: keyof typeof LIMITS, name: string): Promise<Verdict> {
  const hash = sha256Hex(name);
  const { limit, windowMs } = LIMITS[action];
  return take(ctx, `${action} ${hash.slice(0, 2)}`, hash, limit, windowMs);
}
