export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** Bucket size of the totals: so long that every time lies in its first bucket. */
export const EVER_MS = Number.MAX_SAFE_INTEGER;
