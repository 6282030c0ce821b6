import { ulid } from "ulid";
import { v7 } from "uuid";

/** A UUIDv7 (RFC 9562 §5.7): ordered by time, with 74 random bits that nobody can guess. */
export function uuidAt(nowMs: number): string {
  return v7({ msecs: nowMs });
}

/** A ULID: ordered by time, 80 random bits. */
export function ulidAt(nowMs: number): string {
  return ulid(nowMs);
}
