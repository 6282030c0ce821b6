import { sql, type SQL } from "drizzle-orm";
import { isOneOf } from "../../db/version.ts";
import { changedMeanwhile } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";

/**
 * Returns a condition for a batch: the version of a project, `updated_at`, is one that the caller
 * expects. Undefined expects any version.
 */
export function projectIs(id: string, expected: number[] | undefined): SQL {
  const isExpected = isOneOf(expected, sql`updated_at`);
  return sql`exists (select 1 from projects where id = ${id} and ${isExpected})`;
}

/** Throws precondition_failed if the project's version is not one of the expected ones. */
export function requireVersion({ updatedAt }: ProjectRow, expected: number[] | undefined): void {
  if (expected === undefined || expected.includes(updatedAt)) return;
  throw changedMeanwhile("project");
}
