import { sql, type Column, type SQL } from "drizzle-orm";

/**
 * Returns the time of a change as the version of its row. It always exceeds the previous version,
 * even within one millisecond.
 */
export const nextVersion = (now: number, before: Column | SQL): SQL =>
  sql`max(${now}, ${before} + 1)`;

/**
 * Returns the condition that a version is among those the caller expects; undefined accepts any.
 */
export const isOneOf = (expected: number[] | undefined, version: Column | SQL): SQL =>
  expected === undefined
    ? sql`true`
    : sql`${version} in (select value from json_each(${JSON.stringify(expected)}))`;
