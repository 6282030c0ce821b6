import { sql, type SQL } from "drizzle-orm";
import type { Comparison } from "./condition.ts";
import type { Moment } from "./times.ts";

export const COMPARED: Record<Comparison, SQL> = {
  "<": sql`<`,
  "<=": sql`<=`,
  ">": sql`>`,
  ">=": sql`>=`,
};

/** Returns a time as an SQL literal, without a parameter. */
export const timeSql = (ms: number): SQL => sql.raw(String(Math.round(ms)));

/**
 * Returns the comparison of a time with a moment. A day is compared as a whole: `>` means after its
 * end, and `<=` means up to its end.
 */
export function momentBounds(time: SQL, op: Comparison, { from, until }: Moment): SQL {
  switch (op) {
    case "<":
      return sql`${time} < ${timeSql(from)}`;
    case ">=":
      return sql`${time} >= ${timeSql(from)}`;
    case "<=":
      return sql`${time} < ${timeSql(until)}`;
    case ">":
      return sql`${time} >= ${timeSql(until)}`;
  }
}
