import { decodeTime, encodeTime, ulid } from "ulid";
import { v7 } from "uuid";

/** Creates a UUIDv7 (RFC 9562 §5.7): time-ordered, with 74 unguessable random bits. */
export function uuidAt(nowMs: number): string {
  return v7({ msecs: nowMs });
}

/** Creates a ULID: time-ordered, with 80 random bits. */
export function ulidAt(nowMs: number): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  let at = 0;
  // Each of the 16 random digits consumes a fraction; steps of 1/256 make all 32 digits equally
  // likely.
  return ulid(nowMs, () => (random[at++] ?? 0) / 256);
}

/** Returns the lowest ULID for this time or later, as a range bound. */
export function ulidFloor(ms: number): string {
  return encodeTime(ms);
}

/** Returns the creation time of a ULID in milliseconds. */
export function ulidTime(id: string): number {
  return decodeTime(id);
}

/**
 * Returns a text below the UUIDv7s of this time or later, and above all earlier ones (RFC 9562
 * §5.7).
 */
export function uuidFloor(ms: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** Returns the creation time of a UUIDv7 in milliseconds: its first 48 bits. */
export function uuidTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Creates a UUIDv7 from a time and 16 given bytes. Deterministic. */
export function uuidFrom(timeMs: number, bytes: Uint8Array): string {
  return v7({ msecs: timeMs, random: bytes });
}

/** Formats 32 hexadecimal digits as a UUID (RFC 9562 §4). */
export function uuidOfHex(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The nil UUID (RFC 9562 §5.9). */
export const NIL_UUID = "00000000-0000-0000-0000-000000000000";

/** A UUID (RFC 9562 §4) in lowercase, as this service writes it. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns true for a text that can be an id of this service; any other needs no lookup. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
