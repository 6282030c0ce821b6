import type { EventMeaning } from "../event-meaning.ts";
import type { IngestEntry } from "../ingest-entry.ts";
import type { JsonObject } from "../json-values.ts";

/** A posted body with its events. */
export interface Post {
  bytes: Uint8Array;
  /** The events as text: the body, or the content of its form. */
  text: string;
  items: JsonObject[];
  /** Returns a header of the request; "" if it is missing. */
  header: (name: string) => string;
}

/** How a provider signs its posts. */
export interface Signature {
  /** The header of the signature, if it is not in the body. */
  header?: string;
  /** Returns true if the key signed all events of the post. */
  isValid: (post: Post, key: string, now: number) => boolean;
  /** Returns what a signature may be used for only once, if it does not cover the events. */
  uses?: (post: Post) => { key: string; content: string }[];
}

/** A provider of mail that posts events. */
export interface Provider {
  /** The name in messages. */
  title: string;
  /** Returns true for an event in the format of this provider. */
  isEvent: (item: JsonObject) => boolean;
  /** Reads what an event says about its addresses. */
  read: (item: JsonObject) => IngestEntry[];
  /** Absent if the provider signs nothing: then the token in the URL is the only proof. */
  signature?: Signature;
}

/** Returns true if a time is at most `maxMs` away from now. */
export const isFresh = (atMs: number, now: number, maxMs: number): boolean =>
  Math.abs(now - atMs) <= maxMs;

/** Returns what a table of a provider says about a name, which may be anything. */
export const meaningIn = (
  table: Readonly<Record<string, EventMeaning>>,
  name: string,
): EventMeaning | undefined => (Object.hasOwn(table, name) ? table[name] : undefined);
