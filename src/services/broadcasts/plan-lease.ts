import { leaseEnd } from "../../db/lease.ts";
import type { Deps } from "../../deps.ts";

/**
 * Returns when a planner without progress counts as dead: after half a lease, since a step is
 * short.
 */
export function planLeaseEnd({ now, config }: Deps): number {
  return leaseEnd({ now, config: { leaseMs: config.leaseMs / 2 } });
}
