import type { Ctx } from "../../context.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import type { Hit } from "../../project-object.ts";
import { take } from "./ask-limiter.ts";
import { limitRefusal } from "./limit-refusal.ts";
import { bucketOf, limitOf, type LimitedAction } from "./limited-actions.ts";

/** The hit of one call, counted together with the work of the call. */
export interface OpenHit {
  hit: Hit;
  /**
   * True once the hit is or may be counted: a second count could reject work that is already done.
   */
  isCounted: boolean;
  /** Undefined until the hit is counted, and if the response with the verdict was lost. */
  verdict: Verdict | undefined;
}

/** Opens the hit of one call against the project's limit, as `consumeRateLimit` would count it. */
export function openHit({ actor }: Ctx, action: LimitedAction): OpenHit {
  return {
    hit: [bucketOf(actor, action), limitOf(actor, action)],
    isCounted: false,
    verdict: undefined,
  };
}

/** Records that a hit was counted elsewhere. */
export function noteVerdict(open: OpenHit, verdict: Verdict | undefined): void {
  open.isCounted = true;
  open.verdict = verdict;
}

/**
 * Counts an open hit.
 * Throws rate_limited if the limit rejects it, and 503 if the limiter does not answer.
 */
export async function countHit(ctx: Ctx, projectId: string, open: OpenHit): Promise<void> {
  if (!open.isCounted) {
    const [bucket, limit] = open.hit;
    noteVerdict(open, await take(ctx, projectId, bucket, limit.limit, limit.windowMs));
  }
  if (open.verdict?.allowed === false) throw limitRefusal("rate_limited", open.verdict);
}
