// Applies the missing migrations to the local database: `node apply-migrations.ts STATE_DIR`.
// `npm start` runs it as a process of its own, which it can end at any time: each migration and its
// record are one transaction.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { D1Database } from "@cloudflare/workers-types";
import { readServiceConfig } from "../cloudflare/service-config.ts";
import { OperatorError, runCommand, UsageError } from "../command-line.ts";
import { wantedMigrations } from "../doctor/wanted.ts";
import { withLocalDatabase } from "./local-database.ts";

/** The table in which wrangler records migrations. */
const CREATE_RECORD = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;
const STATEMENT_BREAK = "--> statement-breakpoint";

await runCommand("Usage: node scripts/local/apply-migrations.ts STATE_DIR", async () => {
  const [, , stateDir] = process.argv;
  if (!stateDir) throw new UsageError("STATE_DIR is missing");
  await withLocalDatabase(stateDir, async (open) => applyMissing(await open()));
});

async function applyMissing(database: D1Database) {
  await database.prepare(CREATE_RECORD).run();
  const listed = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(listed.results.map(({ name }) => name));
  const config = readServiceConfig(process.cwd(), process.env);
  for (const name of wantedMigrations(process.cwd(), config)) {
    if (!applied.has(name)) await apply(database, name, config.database.migrationsDir);
  }
}

async function apply(database: D1Database, name: string, directory: string) {
  const statements = readFileSync(join(directory, name), "utf8").split(STATEMENT_BREAK);
  const record = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
  try {
    await database.batch([...statements.map((sql) => database.prepare(sql)), record]);
  } catch (error) {
    throw new OperatorError(`${name}: ${String(error)}`);
  }
}
