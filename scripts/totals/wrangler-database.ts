import type { SQL } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { RebuildDatabase } from "../../src/services/email-log/rollups/index.ts";
import { executeStatements, queryDatabase, type DatabasePlace } from "../accounts/d1-execute.ts";

/** Opens the deployed or the local database through wrangler. */
export function wranglerDatabase(place: DatabasePlace): RebuildDatabase {
  return {
    query: async <Row>(statement: SQL) =>
      readRows<Row>(await queryDatabase(place, literalSql(statement))),
    // wrangler runs a file as one transaction, both here and on Cloudflare.
    batch: (statements) =>
      executeStatements(
        place,
        statements.map((statement) => `${literalSql(statement)};`),
      ),
  };
}

const dialect = new SQLiteSyncDialect();

/**
 * Formats a statement as text with its parameters as literals. Throws for NUL, which ends a text
 * early.
 */
export function literalSql(statement: SQL): string {
  const { sql } = dialect.sqlToQuery(statement.inlineParams());
  if (sql.includes("\0")) throw new Error("text for the database may not contain NUL");
  return sql;
}

/**
 * Reads the rows from wrangler's output for one query: a JSON array of results, after other lines.
 */
export function readRows<Row>(answer: string): Row[] {
  const json = /^\[[^]*^\]/m.exec(answer)?.[0];
  if (!json) throw new Error(`wrangler answered without rows:\n${answer}`);
  const [result] = JSON.parse(json) as { results: Row[] }[];
  return result?.results ?? [];
}
