import type { Ctx } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { Verdict } from "./sliding-window.ts";

/** What is limited per project and minute (API reference, "Limits"; batch: decisions, "Sending"). */
const PER_MINUTE = { send: 60, batch: 20, broadcast: 5 } as const;
export type LimitedAction = keyof typeof PER_MINUTE;

const WINDOW_MS = 60_000;

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
  const { actor, app } = ctx;
  const own = actor.kind === "project_key" ? actor.rateLimitPerMinute : undefined;
  const bucket =
    own !== undefined && actor.kind === "project_key" ? `${action}:${actor.keyId}` : action;
  const limiter = app.limiter.get(app.limiter.idFromName(projectId));
  try {
    return await limiter.take(bucket, { limit: own ?? PER_MINUTE[action], windowMs: WINDOW_MS });
  } catch (error) {
    logLine("error", "limiter_failed", { projectId, error: errorText(error) });
    throw new AppError("unavailable", "the rate limiter is not available: try again");
  }
}
