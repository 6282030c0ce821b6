export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Returns the last multiple of a length up to a time. */
export const floorTo = (at: number, length: number) => Math.floor(at / length) * length;

/** Returns the first multiple of a length from a time on. */
export const ceilTo = (at: number, length: number) => Math.ceil(at / length) * length;
