import { decodeTime, encodeTime, ulid } from "ulid";
import { v7 } from "uuid";

/** A UUIDv7 (RFC 9562 §5.7): ordered by time, with 74 random bits that nobody can guess. */
export function uuidAt(nowMs: number): string {
  return v7({ msecs: nowMs });
}

/** A ULID: ordered by time, 80 random bits. */
export function ulidAt(nowMs: number): string {
  return ulid(nowMs);
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
