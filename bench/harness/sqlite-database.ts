import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { openDatabase, type Database } from "../../src/db/client.ts";

/** A statement with its parameters, as bound by `runBatch`. */
interface Bound {
  statement: StatementSync;
  values: SQLInputValue[];
}

/**
 * The service's tables in an in-process SQLite, which exposes its pages; D1 does not. Implements
 * the part of D1 that `runBatch` uses.
 */
export interface SqliteDatabase {
  db: Database;
  sqlite: DatabaseSync;
  /** Total size of all pages in use. */
  bytes: () => number;
  /** Bytes per table and index. */
  bytesByName: () => Map<string, number>;
}

export function openSqlite(): SqliteDatabase {
  const sqlite = new DatabaseSync(":memory:");
  migrate(sqlite);
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? sqlite.prepare(sql);
    prepared.set(sql, statement);
    return { bind: (...values: SQLInputValue[]): Bound => ({ statement, values }) };
  };
  const batch = async (statements: Bound[]) => {
    sqlite.exec("begin");
    const results = statements.map(({ statement, values }) => ({
      success: true,
      meta: { changes: Number(statement.run(...values).changes) },
      results: [],
    }));
    sqlite.exec("commit");
    return results;
  };
  const pragma = (name: string) =>
    Number(Object.values(sqlite.prepare(`pragma ${name}`).get() ?? {})[0]);
  return {
    // The rest of D1 is not called.
    db: openDatabase({ prepare, batch } as unknown as D1Database),
    sqlite,
    bytes: () => (pragma("page_count") - pragma("freelist_count")) * pragma("page_size"),
    bytesByName: () =>
      new Map(
        sqlite
          .prepare("select name, sum(pgsize) as bytes from dbstat group by name")
          .all()
          .map(({ name, bytes }) => [String(name), Number(bytes)]),
      ),
  };
}

function migrate(sqlite: DatabaseSync): void {
  const folder = new URL("../../migrations/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const name of files.toSorted()) sqlite.exec(readFileSync(new URL(name, folder), "utf8"));
}
