export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Returns the last multiple of `length` at or before a time. */
export const floorTo = (at: number, length: number) => Math.floor(at / length) * length;

/** Returns the first multiple of `length` at or after a time. */
export const ceilTo = (at: number, length: number) => Math.ceil(at / length) * length;
