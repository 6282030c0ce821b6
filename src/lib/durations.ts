export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** So long that every time lies in its first bucket: that of the totals. */
export const EVER_MS = Number.MAX_SAFE_INTEGER;
