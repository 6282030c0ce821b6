import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";

/** The most keys whose project an isolate remembers; our own choice. */
const MAX_KNOWN_KEYS = 1_000;

/**
 * Creates a function that returns the ID of the project that an API key belongs to, which never
 * changes; it throws invalid_api_key for an unknown key. It grants nothing: whoever uses the ID
 * still authorizes the key.
 */
export function projectsOfKeys() {
  const known = new Map<string, string>();
  return async ({ db }: Deps, key: string): Promise<string> => {
    const hash = sha256Hex(key);
    const found = known.get(hash);
    if (found !== undefined) return found;
    const [row] = await db.all<{ id: string }>(
      sql`select project_id as id from api_keys where key_hash = ${hash}`,
    );
    if (!row) throw refusal("invalid_api_key", {});
    if (known.size >= MAX_KNOWN_KEYS) known.clear();
    known.set(hash, row.id);
    return row.id;
  };
}
