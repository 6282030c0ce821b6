import { Buffer } from "node:buffer";

/** Deduplicates tags and sorts them as SQLite does. */
export const sortTags = (tags: readonly string[]): string[] =>
  [...new Set(tags)].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
