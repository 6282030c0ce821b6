import { leaseEnd } from "../../db/lease.ts";
import type { Deps } from "../../deps.ts";

/**
 * Returns the time at which a planner without progress counts as crashed: after half a lease,
 * because a step is short.
 */
export function planLeaseEnd({ now, config }: Deps): number {
  return leaseEnd({ now, config: { leaseMs: config.leaseMs / 2 } });
}
