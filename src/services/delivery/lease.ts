import type { Deps } from "../../deps.ts";

/** Returns when a lease taken or renewed now ends, in milliseconds. */
export function leaseEnd({ now, config }: Deps): number {
  return now() + config.leaseMs;
}

/** Returns how often a slow delivery settles and renews its lease, in milliseconds. */
export function heartbeatMs({ config }: Deps): number {
  return config.leaseMs / 4;
}

/** The time for which an Idempotency-Key returns its first answer. */
export const IDEMPOTENCY_LIFE_MS = 24 * 3_600_000;
