import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { readServiceConfig } from "../cloudflare/service-config.ts";
import { OperatorError } from "../command-line.ts";
import { wantedMigrations } from "../doctor/wanted.ts";
import { inTransaction, openLocalDatabase } from "./local-database.ts";

/** The table in which wrangler records migrations. */
const CREATE_RECORD = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/**
 * Applies pending migrations to the local database, each in one transaction with its record. Throws
 * OperatorError with the name of a failed one.
 */
export function applyLocalMigrations(stateDir: string): void {
  const database = openLocalDatabase(stateDir);
  try {
    database.exec(CREATE_RECORD);
    const listed = database.prepare("SELECT name FROM d1_migrations").all();
    const applied = new Set(listed.map(({ name }) => name));
    const config = readServiceConfig(process.cwd(), process.env);
    for (const name of wantedMigrations(process.cwd(), config))
      if (!applied.has(name)) apply(database, name, config.database.migrationsDir);
  } finally {
    database.close();
  }
}

function apply(database: DatabaseSync, name: string, directory: string): void {
  try {
    inTransaction(database, () => {
      database.exec(readFileSync(join(directory, name), "utf8"));
      database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
    });
  } catch (error) {
    throw new OperatorError(`the migration ${name} failed: ${String(error)}`);
  }
}
