import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { runFollowUps } from "./follow-up.ts";
import { hasSql } from "./optional-read.ts";
import type { BatchResults, Preparable, Statement } from "./statement.ts";

export { optionalRead } from "./optional-read.ts";
export type { BatchResults, Statement };

/** D1 through drizzle. Column names are snake_case in SQL. */
export type Database = DrizzleD1Database & { $client: D1Database };

/** One drizzle instance per binding, so that drizzle computes its column names only once. */
const opened = new WeakMap<D1Database, Database>();

/** Opens the service's database. */
export function openDatabase(binding: D1Database): Database {
  const known = opened.get(binding);
  if (known) return known;
  const db = drizzle(binding, { casing: "snake_case" });
  opened.set(binding, db);
  return db;
}

/**
 * Runs statements in one atomic transaction and one round trip, and returns their results in order.
 * An empty list makes no call.
 */
export async function runBatch<const Statements extends readonly Statement[]>(
  db: Database,
  statements: Statements,
): Promise<BatchResults<Statements>> {
  return runBatchAfter(db, [], statements);
}

/**
 * Like `runBatch`, but returns the results of `last` only. Use it when an unknown number of
 * statements comes first.
 */
export async function runBatchAfter<const Last extends readonly Statement[]>(
  db: Database,
  before: readonly Statement[],
  last: Last,
): Promise<BatchResults<Last>> {
  const results = await runStatements(db, [...before, ...last]);
  // drizzle maps each result to the type that its statement names.
  return results.slice(before.length) as BatchResults<Last>;
}

/**
 * Calls D1 directly, because drizzle's own `batch` (0.45) cannot bind the parameters of
 * `db.run(sql)` and `db.all(sql)`.
 */
async function runStatements(db: Database, statements: readonly Statement[]): Promise<unknown[]> {
  // Every drizzle statement is preparable.
  const asked = (statements as readonly (Statement & Preparable)[]).filter(hasSql);
  if (asked.length === 0) return statements.map(() => []);
  const prepared = asked.map((statement) => statement._prepare());
  const bound = prepared.map((query) => {
    const { sql, params } = query.getQuery();
    return db.$client.prepare(sql).bind(...params);
  });
  const results = await db.$client.batch(bound);
  const found = results.map((result, index) => prepared[index]?.mapResult(result, true));
  runFollowUps(asked, found);
  return statements.map((statement) => (hasSql(statement) ? found.shift() : []));
}
