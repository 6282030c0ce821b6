import { createHash, createHmac } from "node:crypto";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { D1Database } from "@cloudflare/workers-types";
import { readRawConfig } from "../cloudflare/service-config.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Opens the database at its first use; later calls return the same one. */
export type OpenDatabase = () => Promise<D1Database>;

/**
 * Gives `work` the local D1 of a state directory, the one that `wrangler dev --persist-to` uses,
 * and closes it afterwards. The service may run meanwhile.
 */
export async function withLocalDatabase<T>(
  stateDir: string,
  work: (open: OpenDatabase) => Promise<T>,
): Promise<T> {
  // Loading miniflare takes half a second, so only commands that need it do.
  const { convertV4MiniflareOptions, Miniflare } = await import("miniflare");
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "",
      cf: false, // no request to the network
      d1Databases: { DB: readLocalId() },
      resourcePersistencePath: join(resolve(stateDir), "v3"),
    }),
  );
  let opened: Promise<D1Database> | undefined;
  try {
    return await work(() => (opened ??= runtime.getD1Database("DB")));
  } finally {
    await runtime.dispose();
  }
}

/** The name under which miniflare keeps its databases, and the bytes of each part of a file name. */
const DATABASES = "miniflare-D1DatabaseObject";
const NAME_PART_BYTES = 16;

/**
 * Returns the file of the local D1 of a state directory. Its name is the id of the object that holds
 * the database, which follows from the database's own id.
 */
export function localDatabaseFile(stateDir: string): string {
  const key = createHash("sha256").update(DATABASES).digest();
  const part = (of: string | Buffer) =>
    createHmac("sha256", key).update(of).digest().subarray(0, NAME_PART_BYTES);
  const own = part(readLocalId());
  const name = Buffer.concat([own, part(own)]).toString("hex");
  return join(resolve(stateDir), "v3/d1", DATABASES, `${name}.sqlite`);
}

/** Returns the id that wrangler gives to the local database. */
function readLocalId(): string {
  const [database] = readRawConfig(ROOT).d1_databases ?? [];
  return database?.preview_database_id ?? database?.database_id ?? database?.binding ?? "DB";
}
