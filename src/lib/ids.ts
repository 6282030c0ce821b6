import { decodeTime, encodeTime, ulid } from "ulid";
import { v7 } from "uuid";

/** Random bytes are drawn many at a time: one by one they cost ten times the rest of an id. */
const pool = { bytes: new Uint8Array(1_024), used: 1_024 };

/** Where the next bytes of the pool are that no id has had: so many, less than the pool holds. */
function nextRandom(count: number): number {
  if (pool.used + count > pool.bytes.length) {
    crypto.getRandomValues(pool.bytes);
    pool.used = 0;
  }
  const at = pool.used;
  pool.used += count;
  return at;
}

/** A random fraction of one, in steps of 1/256: each of the 32 digits is equally likely. */
function nextFraction(): number {
  return (pool.bytes[nextRandom(1)] ?? 0) / 256;
}

/** A UUIDv7 (RFC 9562 §5.7): ordered by time, with 74 random bits that nobody can guess. */
export function uuidAt(nowMs: number): string {
  const at = nextRandom(16);
  return v7({ msecs: nowMs, random: pool.bytes.subarray(at, at + 16) });
}

/** A ULID: ordered by time, 80 random bits. */
export function ulidAt(nowMs: number): string {
  return ulid(nowMs, nextFraction);
}

/** The least text in the order of ULIDs that one of this time or later can have: a bound for ranges. */
export function ulidFloor(ms: number): string {
  return encodeTime(ms);
}

/** The time a ULID was made at, in milliseconds. */
export function ulidTime(id: string): number {
  return decodeTime(id);
}

/** The UUIDv7 of a time and 16 given bytes: the same input makes the same id. */
export function uuidFrom(timeMs: number, bytes: Uint8Array): string {
  return v7({ msecs: timeMs, random: bytes });
}

/** A UUID (RFC 9562 §4) in lower case, as this service writes them. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Tells whether a text can be an id of this service; what cannot is worth no look-up. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
