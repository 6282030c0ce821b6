import type { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw";
import type { InBatch, Statement } from "./statement.ts";

/**
 * Work that follows a batch. It gets the rows of all statements that name it, and must not throw.
 */
export type FollowUp<Row> = (rows: Row[]) => void;

const followUps = new WeakMap<Statement, FollowUp<unknown>>();

/**
 * Makes every batch that holds the statement call `work` after it wrote: once a batch, even when
 * several of its statements name the same work.
 */
export function followUp<Row>(statement: InBatch<SQLiteRaw<Row[]>>, work: FollowUp<Row>): void {
  // `runFollowUps` gives `work` only the rows of statements that name it.
  followUps.set(statement, work as FollowUp<unknown>);
}

/** Runs the follow-ups of a batch. `results` are those of its statements, in order. */
export function runFollowUps(statements: readonly Statement[], results: unknown[]): void {
  const rowsOf = new Map<FollowUp<unknown>, unknown[]>();
  for (const [index, statement] of statements.entries()) {
    const work = followUps.get(statement);
    const rows = results[index];
    if (work && Array.isArray(rows)) rowsOf.set(work, [...(rowsOf.get(work) ?? []), ...rows]);
  }
  for (const [work, rows] of rowsOf) work(rows);
}
