import { sql, type SQL } from "drizzle-orm";
import { AppError } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";

/**
 * Returns a condition for a batch: a project is in one of the states that a caller expects, which
 * its `updated_at` tells apart; undefined expects any.
 */
export function projectIs(id: string, expected: number[] | undefined): SQL {
  const isExpected =
    expected === undefined
      ? sql`true`
      : sql`updated_at in (select value from json_each(${JSON.stringify(expected)}))`;
  return sql`exists (select 1 from projects where id = ${id} and ${isExpected})`;
}

/** Throws precondition_failed for a project that is in no expected state. */
export function requireVersion({ updatedAt }: ProjectRow, expected: number[] | undefined): void {
  if (expected === undefined || expected.includes(updatedAt)) return;
  throw new AppError("precondition_failed", "the project has changed: its ETag is another one");
}
