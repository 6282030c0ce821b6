/** The most bytes that D1 stores in one database on the Workers Paid plan. */
export const D1_LIMIT_BYTES = 10_000_000_000;

/** The levels of a fill, in order; each but the first begins at its mark. */
export const FILL_LEVELS = ["ok", "notice", "urgent", "full"] as const;
export type FillLevel = (typeof FILL_LEVELS)[number];

/** The fraction of the limit at which each level begins. */
const MARKS: Record<FillLevel, number> = { ok: 0, notice: 0.7, urgent: 0.85, full: 0.95 };

/** The fraction of the limit by which a fill must drop below a mark before it leaves the level. */
const CLEARANCE = 0.03;

const rankOf = (level: FillLevel) => FILL_LEVELS.indexOf(level);

/** Returns true if a level is the given one or a higher one. */
export const isAtLeast = (level: FillLevel, least: FillLevel) => rankOf(level) >= rankOf(least);

/**
 * Returns the level of a fill, which is a fraction of the limit. A fill that was at a level before
 * stays there until it is clearly below, so that a fill at a mark does not change its level every
 * minute.
 */
export function fillLevel(fill: number, before: FillLevel = "ok"): FillLevel {
  const isAt = (level: FillLevel) =>
    fill >= MARKS[level] - (level !== "ok" && isAtLeast(before, level) ? CLEARANCE : 0);
  return FILL_LEVELS.findLast(isAt) ?? "ok";
}

/** Returns a fill in percent with one decimal. */
export const fillPercent = (fill: number) => Math.round(fill * 1_000) / 10;
