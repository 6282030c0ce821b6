import type { Ctx } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import { take } from "./ask-limiter.ts";
import { bucketOf, limitOf, type LimitedAction } from "./limited-actions.ts";

/**
 * Counts one call against the project's limit. Uses the per-user limit for an action that has one,
 * or the key's own limit if it has one. The answer is exact: it comes from the project's Durable
 * Object.
 * Throws 503 if the limiter does not answer: writes fail closed.
 */
export async function consumeRateLimit(
  ctx: Ctx,
  projectId: string,
  action: LimitedAction,
): Promise<Verdict> {
  const { actor } = ctx;
  return take(ctx, projectId, bucketOf(actor, action), limitOf(actor, action).limit);
}

/** Counts one read-only call. Returns undefined if the limiter does not answer: reads fail open. */
export async function consumeReadLimit(
  ctx: Ctx,
  projectId: string,
  action: LimitedAction,
): Promise<Verdict | undefined> {
  try {
    return await consumeRateLimit(ctx, projectId, action);
  } catch (error) {
    if (error instanceof AppError && error.status === 503) return undefined;
    throw error;
  }
}
