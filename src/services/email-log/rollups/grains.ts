import { sql, type SQL } from "drizzle-orm";
import { ROLLUP_GRAINS } from "../../../db/schema/index.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../../lib/durations.ts";

export type Grain = (typeof ROLLUP_GRAINS)[number];

/** The lengths of the buckets. A bucket begins at a multiple of its length since 1970 in UTC. */
const LENGTH_MS: Record<Grain, number> = { hour: HOUR_MS, day: DAY_MS };

/** Returns the start of the bucket that contains a time. */
export function bucketAt(grain: Grain, at: number): number {
  return floorTo(at, LENGTH_MS[grain]);
}

/** Returns the same as an SQL expression. Without a grain, it takes `length` from `GRAIN_ROWS`. */
export function bucketSql(at: SQL, grain?: Grain): SQL {
  return sql`${at} - ${at} % ${sql.raw(grain ? String(LENGTH_MS[grain]) : "length")}`;
}

/** A table of all grains, with the columns `grain` and `length`. */
export const GRAIN_ROWS: SQL = sql.raw(
  `(${ROLLUP_GRAINS.map((grain) => `select '${grain}' as grain, ${LENGTH_MS[grain]} as length`).join(" union all ")})`,
);
