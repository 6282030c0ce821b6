import { createHmac } from "node:crypto";
import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";

/** The length to which a hash is truncated, long enough to avoid collisions within a deployment. */
const HASH_BYTES = 16;

/** The hashes of an address: with the current key, and with the previous one, if any. */
export interface AddressHashes {
  hash: string;
  previousHash?: string;
}

type Keys = Pick<Deps["config"], "sealingKeys">;

/**
 * Returns the keyed hashes by which a project recognizes an erased address. Without the key,
 * addresses cannot be guessed by brute force. The project is not part of the hash, because a send
 * learns its project in the same round trip.
 */
export function hashesOf({ sealingKeys }: Keys, email: string): AddressHashes {
  const { current, previous } = sealingKeys;
  const hash = (key: Uint8Array) =>
    createHmac("sha256", key).update(email).digest().subarray(0, HASH_BYTES).toString("base64url");
  return {
    hash: hash(current.addressKey),
    ...(previous ? { previousHash: hash(previous.addressKey) } : {}),
  };
}

/** Adds the hashes of its address to an entry that a statement reads as JSON. */
export const withHashes = <Entry extends { email: string }>(keys: Keys, entry: Entry) => ({
  ...entry,
  ...hashesOf(keys, entry.email),
});

/** Returns a condition: the project erased the address of `value`, JSON from `withHashes`. */
export function isErased({ sealingKeys }: Keys, projectId: string | SQL): SQL {
  const previous = sealingKeys.previous ? sql`, value ->> 'previousHash'` : sql``;
  return hasHash(projectId, sql`value ->> 'hash'${previous}`);
}

/** Returns a condition: the project erased this address. */
export function isErasedAddress(keys: Keys, projectId: string, email: string): SQL {
  return hasHash(projectId, hashList(keys, email));
}

/** Returns the hashes of an address as an SQL list. */
export function hashList(keys: Keys, email: string): SQL {
  const hashes = Object.values(hashesOf(keys, email)).map((hash) => sql`${hash}`);
  return sql.join(hashes, sql`, `);
}

/** One read per hash: a one-element list is a lookup. */
const hasHash = (projectId: string | SQL, hashes: SQL): SQL =>
  sql`exists (select 1 from erased_addresses where project_id = ${projectId} and hash in (${hashes}))`;
