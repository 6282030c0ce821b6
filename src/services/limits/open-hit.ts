import type { Ctx } from "../../context.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import type { Hit } from "../../project-object.ts";
import { take } from "./ask-limiter.ts";
import { limitRefusal } from "./limit-refusal.ts";
import { bucketOf, limitOf, type LimitedAction } from "./limited-actions.ts";

/** The hit of one call, which is counted together with the work of the call. */
export interface OpenHit {
  hit: Hit;
  /** True once the hit is counted, or may be: a second count would refuse what was done. */
  isCounted: boolean;
  /** Undefined until the hit is counted, and when the verdict was lost on its way. */
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

/** Notes that a hit was counted elsewhere. */
export function noteVerdict(open: OpenHit, verdict: Verdict | undefined): void {
  open.isCounted = true;
  open.verdict = verdict;
}

/**
 * Counts an open hit.
 * Throws rate_limited when the limit refuses it, and 503 when the limiter does not answer.
 */
export async function countHit(ctx: Ctx, projectId: string, open: OpenHit): Promise<void> {
  if (!open.isCounted) {
    const [bucket, limit] = open.hit;
    noteVerdict(open, await take(ctx, projectId, bucket, limit.limit, limit.windowMs));
  }
  if (open.verdict?.allowed === false) throw limitRefusal("rate_limited", open.verdict);
}
