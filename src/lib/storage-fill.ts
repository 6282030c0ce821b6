/** Maximum size of a D1 database on the Workers Paid plan. */
export const D1_LIMIT_BYTES = 10_000_000_000;

/** Storage levels in ascending order; each except the first starts at its threshold. */
export const FILL_LEVELS = ["ok", "warning", "full"] as const;
export type FillLevel = (typeof FILL_LEVELS)[number];

/** Fraction of the limit at which each level starts. */
const MARKS: Record<FillLevel, number> = { ok: 0, warning: 0.85, full: 0.95 };

/**
 * Hysteresis: how far, as a fraction of the limit, the fill must drop below a threshold to leave
 * its level.
 */
const CLEARANCE = 0.03;

const rankOf = (level: FillLevel) => FILL_LEVELS.indexOf(level);

/** Returns true if a level is at least the given one. */
export const isAtLeast = (level: FillLevel, least: FillLevel) => rankOf(level) >= rankOf(least);

/**
 * Returns the level of a fill (a fraction of the limit). The level drops only once the fill is
 * clearly below its threshold, so that it does not flap at the threshold.
 */
export function fillLevel(fill: number, before: FillLevel = "ok"): FillLevel {
  const isAt = (level: FillLevel) =>
    fill >= MARKS[level] - (level !== "ok" && isAtLeast(before, level) ? CLEARANCE : 0);
  return FILL_LEVELS.findLast(isAt) ?? "ok";
}

/** Returns a fill as a percentage with one decimal. */
export const fillPercent = (fill: number) => Math.round(fill * 1_000) / 10;
