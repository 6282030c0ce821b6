import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";

/** Inclusive start and exclusive end, in milliseconds. */
export interface Span {
  from: number;
  to: number;
}

/**
 * A boundary of a window, brought to the nearest full hour so that rollups can count up to it, with
 * what lies between: `rawSign` times the entries of `raw` must be added to everything before `hour`
 * to get everything before the boundary. No `raw` when the boundary is a full hour already.
 */
export interface Edge {
  hour: number;
  raw: Span | undefined;
  rawSign: 1 | -1;
}

/** Rollup rows of one grain in a span that are added to a window, or taken off it. */
export interface Piece extends Span {
  grain: "hour" | "day";
  sign: 1 | -1;
}

const nearest = (at: number, length: number) => Math.round(at / length) * length;
export const down = (at: number, length: number) => Math.floor(at / length) * length;
export const up = (at: number, length: number) => Math.ceil(at / length) * length;

/**
 * The edge at a time. The hour under way is complete at `now`: a time near now is brought to the end of
 * that hour, and at or after now nothing is left to read. Before `keptFrom` retention has removed the
 * entries themselves, so there the nearest full hour stands for it.
 */
export function edgeAt(at: number, keptFrom: number, now: number): Edge {
  const hour = { from: down(at, HOUR_MS), to: up(at, HOUR_MS) };
  const isNearEnd = at - hour.from >= Math.min(hour.to, now) - at;
  const full = isNearEnd ? hour.to : hour.from;
  if (at === full || at >= now || at < keptFrom) return { hour: full, raw: undefined, rawSign: 1 };
  return isNearEnd
    ? { hour: full, raw: { from: at, to: full }, rawSign: -1 }
    : { hour: full, raw: { from: full, to: at }, rawSign: 1 };
}

/** Covers full hours with hour rows alone, for windows that are shown by the hour. */
export function piecesOfHours({ from, to }: Span): Piece[] {
  return from < to ? [{ grain: "hour", sign: 1, from, to }] : [];
}

/**
 * Covers full hours with day rows, and at each end with the at most twelve hour rows between the
 * nearest midnight and the end: added or taken off, whichever is fewer.
 */
export function piecesOfDays(hours: Span): Piece[] {
  const days = { from: nearest(hours.from, DAY_MS), to: nearest(hours.to, DAY_MS) };
  const all: Piece[] = [
    { grain: "day", sign: 1, ...days },
    { grain: "hour", sign: 1, from: hours.from, to: days.from },
    { grain: "hour", sign: -1, from: days.from, to: hours.from },
    { grain: "hour", sign: 1, from: days.to, to: hours.to },
    { grain: "hour", sign: -1, from: hours.to, to: days.to },
  ];
  return all.filter(({ from, to }) => from < to);
}
