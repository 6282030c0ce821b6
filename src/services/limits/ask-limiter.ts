import type { Ctx } from "../../context.ts";
import { refusal } from "../../errors.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import type { Hit, ProjectObject } from "../../project-object.ts";
import { clientOf } from "./client-address.ts";

/** Returns the name of the client in buckets keyed by address. */
export const addressName = (ctx: Ctx) => `address ${clientOf(ctx.clientIp).name}`;

/**
 * The number of hash digits that select the Durable Object of a bucket. The buckets of one kind
 * share 256 objects, so random names cannot create further objects.
 */
const SHARD_DIGITS = 2;

/** Returns the name of the object for the buckets of a kind with this hash. */
export const shardOf = (kind: string, hash: string) => `${kind} ${hash.slice(0, SHARD_DIGITS)}`;

/** Counts a hit in the Durable Object that holds a bucket. Throws 503 if it does not answer. */
export function take(
  ctx: Ctx,
  object: string,
  bucket: string,
  limit: number,
  windowMs = MINUTE_MS,
): Promise<Verdict> {
  return askLimiter(ctx, object, bucket, (stub) => stub.take(bucket, { limit, windowMs }));
}

/** Counts a hit in all of these buckets, or in none if one of them rejects it. */
export function takeAll(ctx: Ctx, object: string, limits: [Hit, ...Hit[]]): Promise<Verdict> {
  return askLimiter(ctx, object, limits[0][0], (stub) => stub.takeAll(limits));
}

async function askLimiter(
  { deps: { senders } }: Ctx,
  object: string,
  bucket: string,
  ask: (object: ProjectObject) => Promise<Verdict>,
): Promise<Verdict> {
  try {
    return await ask(senders.get(senders.idFromName(object)));
  } catch (error) {
    logLine("error", "limiter_failed", { bucket, error: errorText(error) });
    throw refusal("rate_limiter_unavailable", {});
  }
}
