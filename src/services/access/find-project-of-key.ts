import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { sha256Hex } from "../../lib/hash.ts";

/**
 * Returns the ID of the project that an API key belongs to; undefined for an unknown key. It grants
 * nothing: whoever uses the ID still authorizes the key.
 */
export async function findProjectOfKey({ db }: Deps, key: string): Promise<string | undefined> {
  const [row] = await db.all<{ id: string }>(
    sql`select project_id as id from api_keys where key_hash = ${sha256Hex(key)}`,
  );
  return row?.id;
}
