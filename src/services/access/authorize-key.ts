import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Actor } from "../../context.ts";
import type { BatchResults, Statement } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { isTestPrefix, requireKeyCapability, type Capability } from "./capabilities.ts";
import { keyPasses } from "./passes.ts";
import { selectKey, selectProjectById, touchKey, type ProjectRow } from "./queries.ts";
import { isAccessToken } from "./credential.ts";
import { noCredential, WANTED, wrongKey } from "./refuse-key.ts";
import { runGuarded } from "./run-guarded.ts";

/**
 * The keys that an endpoint of the key-based API accepts. `sk_` keys belong to the project API.
 */
export type KeyedAuth = "public_or_secret" | "secret";

/** The keys that an endpoint accepts and the capability that it requires. */
export interface KeyedRule {
  auth: KeyedAuth;
  capability: Capability;
}

/** The actor, the project of a key, and the results of the caller's reads. */
export interface KeyedAccess<Reads extends readonly Statement[]> {
  actor: Extract<Actor, { kind: "project_key" }>;
  project: ProjectRow;
  reads: BatchResults<Reads>;
}

/**
 * Authorizes a request of the key-based API: reads the key and its project in one D1 round trip.
 * `reads` receives an SQL expression for the project's id, which only the key reveals. It returns
 * the caller's statements, which run in the same round trip, and only for a caller who passes.
 * Source: API reference §2.3.
 * Throws 401 for an unknown key or a project key. Then throws forbidden for a public key
 * if a secret key is required, and for a key without the capability.
 */
export async function authorizeKey<const Reads extends readonly Statement[]>(
  deps: Deps,
  key: string | undefined,
  { auth, capability }: KeyedRule,
  reads: (projectId: SQL) => Reads,
): Promise<KeyedAccess<Reads>> {
  const wanted = auth === "secret" ? WANTED.secret : WANTED.keyed;
  if (key === undefined) throw noCredential(wanted);
  if (isAccessToken(key)) throw wrongKey("pat", wanted);
  const { db } = deps;
  const keyHash = sha256Hex(key);
  const projectId = sql`(select project_id from api_keys where key_hash = ${keyHash})`;
  const check = [
    touchKey(db, keyHash, deps.now()),
    selectKey(db, keyHash),
    selectProjectById(db, projectId),
  ] as const;
  const passes = keyPasses(keyHash, auth === "secret" ? ["sdk"] : ["pk", "sdk"], capability);
  const [entered, results] = await runGuarded(
    db,
    { check, passes, reads: reads(projectId) },
    async ([, [row], [project]]) => {
      if (!row || !project) throw refusal("invalid_api_key", {});
      if (row.type === "sk") throw wrongKey(row.type, wanted);
      if (auth === "secret" && row.type !== "sdk") throw wrongKey(row.type, WANTED.secret);
      requireKeyCapability(row, capability);
      const actor: KeyedAccess<Reads>["actor"] = {
        kind: "project_key",
        keyId: row.id,
        projectId: project.id,
        rateLimitPerMinute: row.rateLimitPerMinute ?? undefined,
        isTest: isTestPrefix(row.prefix),
      };
      return { actor, project };
    },
  );
  return { ...entered, reads: results };
}
