/** A worker that settles nothing for this long is taken for dead. */
export const LEASE_MS = 120_000;

/** The first answer to an Idempotency-Key is given again for this long. */
export const IDEMPOTENCY_LIFE_MS = 24 * 3_600_000;
