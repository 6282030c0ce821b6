import type { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw";
import type { InBatch, Statement } from "./statement.ts";

/**
 * Callback after a batch. It receives the rows of all statements that registered it, and must not
 * throw.
 */
export type FollowUp<Row> = (rows: Row[]) => void;

const followUps = new WeakMap<Statement, FollowUp<unknown>>();

/**
 * Registers `work` to run after any batch that contains the statement. It runs once per batch, even
 * if several statements register it.
 */
export function followUp<Row>(statement: InBatch<SQLiteRaw<Row[]>>, work: FollowUp<Row>): void {
  // `runFollowUps` passes `work` only the rows of statements that registered it.
  followUps.set(statement, work as FollowUp<unknown>);
}

/** Runs the follow-ups of a batch. `results` are in the order of `statements`. */
export function runFollowUps(statements: readonly Statement[], results: unknown[]): void {
  const rowsOf = new Map<FollowUp<unknown>, unknown[]>();
  for (const [index, statement] of statements.entries()) {
    const work = followUps.get(statement);
    const rows = results[index];
    if (work && Array.isArray(rows)) rowsOf.set(work, [...(rowsOf.get(work) ?? []), ...rows]);
  }
  for (const [work, rows] of rowsOf) work(rows);
}
