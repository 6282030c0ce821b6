import type { SQL } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { RebuildDatabase } from "../../src/services/email-log/rollups/index.ts";
import type { OperatorDatabase } from "../accounts/with-database.ts";

/** Adapts an operator's database for rebuilding totals. */
export function rebuildDatabase({ query, execute }: OperatorDatabase): RebuildDatabase {
  return {
    query: (statement) => query(literalSql(statement)),
    batch: (statements) => execute(statements.map((statement) => `${literalSql(statement)};`)),
  };
}

const dialect = new SQLiteSyncDialect();

/**
 * Formats a statement as SQL text with literal parameters. Throws for NUL, which would truncate it.
 */
function literalSql(statement: SQL): string {
  const { sql } = dialect.sqlToQuery(statement.inlineParams());
  if (sql.includes("\0")) throw new Error("text for the database cannot contain NUL");
  return sql;
}
