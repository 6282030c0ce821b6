import { createHash, createHmac } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { readRawConfig } from "../cloudflare/service-config.ts";
import { OperatorError } from "../command-line.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The name under which miniflare keeps its databases, and the bytes of each part of a file name. */
const DATABASES = "miniflare-D1DatabaseObject";
const NAME_PART_BYTES = 16;

/** The time for which a command waits for the service to finish a write. */
const LOCK_TIMEOUT_MS = 30_000;

/**
 * Returns the file of the local D1 of a state directory, the one that `wrangler dev --persist-to`
 * uses. Its name is the id of the object that holds the database, which follows from the database's
 * own id.
 */
export function localDatabaseFile(stateDir: string): string {
  const key = createHash("sha256").update(DATABASES).digest();
  const part = (of: string | Buffer) =>
    createHmac("sha256", key).update(of).digest().subarray(0, NAME_PART_BYTES);
  const own = part(readLocalId());
  const name = Buffer.concat([own, part(own)]).toString("hex");
  return join(resolve(stateDir), "v3/d1", DATABASES, `${name}.sqlite`);
}

/**
 * Opens the local D1 of a state directory, and makes it if there is none. The service may run
 * meanwhile. A second runtime on the file would write to it at each query, and fail while the
 * service writes. Throws OperatorError for a file that cannot be used.
 */
export function openLocalDatabase(stateDir: string): DatabaseSync {
  const file = localDatabaseFile(stateDir);
  try {
    mkdirSync(dirname(file), { recursive: true });
    const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS });
    database.exec("pragma schema_version"); // the first look into the file
    return database;
  } catch (error) {
    throw new OperatorError(`the local database ${file} cannot be used: ${String(error)}`);
  }
}

/** Runs `work` as one transaction. */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec("begin immediate");
  try {
    work();
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

/** Returns the id that wrangler gives to the local database. */
function readLocalId(): string {
  const [database] = readRawConfig(ROOT).d1_databases ?? [];
  return database?.preview_database_id ?? database?.database_id ?? database?.binding ?? "DB";
}
