import { Buffer } from "node:buffer";

/** Size of one item, or limit for several together. */
export interface Size {
  items: number;
  /** As JSON in UTF-8. */
  bytes: number;
}

/** Returns the size of a value as one item of a JSON array. */
export function jsonSize(value: unknown): Size {
  return { items: 1, bytes: Buffer.byteLength(JSON.stringify(value)) + 1 };
}

/**
 * Lazily splits items, in order, into parts within a limit; an item above the limit is its own
 * part.
 */
export function* splitBySize<Item>(
  all: Iterable<Item>,
  limit: Size,
  sizeOf: (item: Item) => Size,
): Generator<Item[]> {
  let part: Item[] = [];
  let room = limit;
  for (const item of all) {
    const { items, bytes } = sizeOf(item);
    if (part.length > 0 && (items > room.items || bytes > room.bytes)) {
      yield part;
      part = [];
      room = limit;
    }
    part.push(item);
    room = { items: room.items - items, bytes: room.bytes - bytes };
  }
  if (part.length > 0) yield part;
}
