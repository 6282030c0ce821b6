import type { Ctx } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { clientOf } from "./client-address.ts";
import { strictest, type Verdict } from "./sliding-window.ts";

/**
 * What is limited per project and minute, each by itself; the key-based API has limits of its own
 * (API reference, "Limits"; batch: decisions, "Sending").
 */
const PER_MINUTE = {
  send: 60,
  batch: 20,
  broadcast: 5,
  keyed_send: 60,
  keyed_join: 60,
  keyed_read: 60,
  keyed_broadcast: 10,
} as const;
export type LimitedAction = keyof typeof PER_MINUTE;

const WINDOW_MS = 60_000;

/** Decisions, "Sessions and accounts": tries to log in a minute, by address and by email. */
const LOGIN_TRIES_PER_MINUTE = 10;

/**
 * Counts one call against the project's limit, or against the key's own when it has one.
 * The answer is exact: it comes from the project's Durable Object.
 * Throws unavailable when the limiter cannot be asked, so that a broken limiter lets no send through.
 */
export async function takeHit(
  ctx: Ctx,
  projectId: string,
  action: LimitedAction,
): Promise<Verdict> {
  const { actor } = ctx;
  const own = actor.kind === "project_key" ? actor.rateLimitPerMinute : undefined;
  const bucket =
    own !== undefined && actor.kind === "project_key" ? `${action}:${actor.keyId}` : action;
  return take(ctx, projectId, bucket, own ?? PER_MINUTE[action]);
}

/**
 * Counts one call that only reads. Undefined when the limiter cannot be asked: a broken limiter
 * stops writes, not reads.
 */
export async function takeReadHit(
  ctx: Ctx,
  projectId: string,
  action: LimitedAction,
): Promise<Verdict | undefined> {
  try {
    return await takeHit(ctx, projectId, action);
  } catch (error) {
    if (error instanceof AppError && error.code === "unavailable") return undefined;
    throw error;
  }
}

/**
 * Counts one try to log in, by client address and by email, whether the account exists or not.
 * Returns the stricter verdict. Throws unavailable when the limiter cannot be asked.
 */
export async function takeLoginTry(ctx: Ctx, email: string): Promise<Verdict> {
  const tryOf = (name: string) => {
    const hash = sha256Hex(name);
    return take(ctx, `login ${hash.slice(0, SHARD_DIGITS)}`, hash, LOGIN_TRIES_PER_MINUTE);
  };
  const byEmail = tryOf(`email ${email}`);
  if (ctx.clientIp === "") return byEmail;
  return strictest(await Promise.all([byEmail, tryOf(`address ${clientOf(ctx.clientIp).name}`)]));
}

/** Logins share 256 objects, so that guessing at random emails makes no more of them. */
const SHARD_DIGITS = 2;

async function take(ctx: Ctx, object: string, bucket: string, limit: number): Promise<Verdict> {
  const { limiter } = ctx.app;
  try {
    const stub = limiter.get(limiter.idFromName(object));
    return await stub.take(bucket, { limit, windowMs: WINDOW_MS });
  } catch (error) {
    logLine("error", "limiter_failed", { bucket, error: errorText(error) });
    throw new AppError("unavailable", "the rate limiter is not available: try again");
  }
}
