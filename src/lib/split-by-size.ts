import { Buffer } from "node:buffer";

/** The size of one item, or the limit for several together. */
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
 * Splits a list, in order, into parts within a limit; an item above the limit is a part of its own.
 */
export function splitBySize<Item>(
  list: readonly Item[],
  limit: Size,
  sizeOf: (item: Item) => Size,
): Item[][] {
  const parts: Item[][] = [];
  let room: Size = { items: 0, bytes: 0 };
  for (const item of list) {
    const { items, bytes } = sizeOf(item);
    const last = parts.at(-1);
    if (last && items <= room.items && bytes <= room.bytes) last.push(item);
    else {
      parts.push([item]);
      room = limit;
    }
    room = { items: room.items - items, bytes: room.bytes - bytes };
  }
  return parts;
}
