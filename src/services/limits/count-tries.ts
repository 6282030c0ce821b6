import type { Ctx } from "../../context.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import { addressName, shardOf, take } from "./ask-limiter.ts";

/** The password attempts per minute, by address and by account (API reference §4.1). */
const TRIES_PER_MINUTE = 10;

/**
 * Counts one login attempt by client address and then by email, including unknown accounts. An
 * attempt that the address limit rejects does not count for the email, so one address can lock only
 * one account. Returns the verdict of the address unless the email's limit rejects: its count would
 * reveal login attempts by others. Throws 503 if the limiter does not answer.
 */
export function takeLoginTry(ctx: Ctx, email: string): Promise<Verdict> {
  return takeTry(ctx, "login", `email ${email}`);
}

/**
 * Counts one attempt at the current password by client address and by user, under the rules of
 * `takeLoginTry`.
 */
export function takePasswordTry(ctx: Ctx, userId: string): Promise<Verdict> {
  return takeTry(ctx, "password", `user ${userId}`);
}

/**
 * Counts one registration by client address if registration is open (cloud). Returns undefined if
 * nothing is counted. Throws 503 if the limiter does not answer.
 */
export async function takeRegistration(ctx: Ctx): Promise<Verdict | undefined> {
  const isOpen = ctx.deps.config.deploymentMode === "cloud";
  return isOpen && ctx.clientIp !== "" ? takeOne(ctx, "register", addressName(ctx)) : undefined;
}

type TriedAction = "login" | "password" | "register";

async function takeTry(ctx: Ctx, action: TriedAction, who: string): Promise<Verdict> {
  if (ctx.clientIp === "") return takeOne(ctx, action, who);
  const byAddress = await takeOne(ctx, action, addressName(ctx));
  if (!byAddress.allowed) return byAddress;
  const byName = await takeOne(ctx, action, who);
  return byName.allowed ? byAddress : byName;
}

function takeOne(ctx: Ctx, action: TriedAction, name: string): Promise<Verdict> {
  const hash = sha256Hex(name);
  return take(ctx, shardOf(action, hash), hash, TRIES_PER_MINUTE);
}
