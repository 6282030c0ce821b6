export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Years in RFC 3339 have four digits, and responses use UTC. */
export const FIRST_TIME = Date.parse("0000-01-01T00:00:00Z");
export const LAST_TIME = Date.parse("9999-12-31T23:59:59.999Z");

/** Returns the last multiple of `length` at or before a time. */
export const floorTo = (at: number, length: number) => Math.floor(at / length) * length;

/** Returns the first multiple of `length` at or after a time. */
export const ceilTo = (at: number, length: number) => Math.ceil(at / length) * length;
