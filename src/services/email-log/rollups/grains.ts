import { sql, type SQL } from "drizzle-orm";
import type { ROLLUP_GRAINS, ROLLUP_KINDS } from "../../../db/schema/index.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../../lib/durations.ts";

export type RollupKind = (typeof ROLLUP_KINDS)[number];
export type Grain = (typeof ROLLUP_GRAINS)[number];

/** The length of the single all-time bucket, long enough to contain every time. */
const EVER_MS = Number.MAX_SAFE_INTEGER;

/** The lengths of the buckets. A bucket begins at a multiple of its length since 1970 in UTC. */
const LENGTH_MS: Record<Grain, number> = { all: EVER_MS, hour: HOUR_MS, day: DAY_MS };

/** The grains that divide the all-time bucket. */
const OF_A_DAY = ["hour", "day"] as const satisfies Grain[];

export type DayGrain = (typeof OF_A_DAY)[number];

export const GRAINS_OF: Record<RollupKind, readonly Grain[]> = {
  log: ["all", ...OF_A_DAY],
  template: OF_A_DAY,
  link: OF_A_DAY,
};

/** Returns the start of the bucket that contains a time. */
export function bucketAt(grain: Grain, at: number): number {
  return floorTo(at, LENGTH_MS[grain]);
}

/** Returns the same as an SQL expression. Without a grain, it takes `length` from `grainRows`. */
export function bucketSql(at: SQL, grain?: Grain): SQL {
  return sql`${at} - ${at} % ${sql.raw(grain ? String(LENGTH_MS[grain]) : "length")}`;
}

type GrainsOfKinds = Partial<Record<RollupKind, readonly Grain[]>>;

/** Returns a table of all grains of these kinds, with the columns `grain` and `length`. */
export function grainRows(kinds: GrainsOfKinds): SQL {
  const rows = allOf(kinds).map(
    (grain) => `select '${grain}' as grain, ${LENGTH_MS[grain]} as length`,
  );
  return sql.raw(`(${rows.join(" union all ")})`);
}

/** Returns the condition that the kind of `fact` counts in `grain`, a row of `grainRows`. */
export function countsInGrain(kinds: GrainsOfKinds): SQL {
  const exceptions = Object.entries(kinds).flatMap(([kind, grains]) =>
    allOf(kinds)
      .filter((grain) => !grains.includes(grain))
      .map((grain) => ` and not (fact.kind = '${kind}' and grain = '${grain}')`),
  );
  return sql.raw(`true${exceptions.join("")}`);
}

const allOf = (kinds: GrainsOfKinds) => [...new Set(Object.values(kinds).flat())];
