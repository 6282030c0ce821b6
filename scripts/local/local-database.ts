import { createHash, createHmac } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { readRawConfig } from "../cloudflare/service-config.ts";
import { OperatorError } from "../command-line.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Miniflare's object name for databases, and the length in bytes of each part of a file name. */
const DATABASES = "miniflare-D1DatabaseObject";
const NAME_PART_BYTES = 16;

/** How long a command waits for the service to finish a write. */
const LOCK_TIMEOUT_MS = 30_000;

/**
 * Returns the file of the local D1 database in a state directory, as used by `wrangler dev
 * --persist-to`. The file name is the id of the Durable Object that holds the database, derived
 * from the database id.
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
 * Opens the local D1 database of a state directory, creating it if necessary. The service may be
 * running. A second runtime on the file would write to it on each query, and fail while the service
 * writes. Throws OperatorError for an unusable file.
 */
export function openLocalDatabase(stateDir: string): DatabaseSync {
  const file = localDatabaseFile(stateDir);
  try {
    mkdirSync(dirname(file), { recursive: true });
    const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS });
    database.exec("pragma schema_version"); // the first read of the file
    return database;
  } catch (error) {
    throw new OperatorError(`the local database ${file} cannot be used: ${String(error)}`);
  }
}

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

/** Returns wrangler's id of the local database. */
function readLocalId(): string {
  const [database] = readRawConfig(ROOT).d1_databases ?? [];
  return database?.preview_database_id ?? database?.database_id ?? database?.binding ?? "DB";
}
