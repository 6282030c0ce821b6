import { ceilTo, DAY_MS, floorTo, HOUR_MS } from "../../lib/durations.ts";
import type { Piece } from "../email-log/reports/index.ts";

/** An inclusive start and an exclusive end, in milliseconds. */
export interface Span {
  from: number;
  to: number;
}

/**
 * A boundary of a window, rounded to the nearest full hour so that rollups can count up to it. The
 * entries before the boundary are the entries before `hour` plus `rawSign` times the entries of
 * `raw`. `raw` is undefined if the boundary is already a full hour.
 */
export interface Edge {
  hour: number;
  raw: Span | undefined;
  rawSign: 1 | -1;
}

const nearest = (at: number, length: number) => Math.round(at / length) * length;

/**
 * Returns the edge at a time. The current hour is complete at `now`, so a time near now rounds to
 * the end of that hour. A time at or after now needs no raw read. Retention has removed the entries
 * before `keptFrom`, so a time before it rounds to the nearest full hour.
 */
export function edgeAt(at: number, keptFrom: number, now: number): Edge {
  const hour = { from: floorTo(at, HOUR_MS), to: ceilTo(at, HOUR_MS) };
  const isNearEnd = at - hour.from >= Math.min(hour.to, now) - at;
  const full = isNearEnd ? hour.to : hour.from;
  if (at === full || at >= now || at < keptFrom) return { hour: full, raw: undefined, rawSign: 1 };
  return isNearEnd
    ? { hour: full, raw: { from: at, to: full }, rawSign: -1 }
    : { hour: full, raw: { from: full, to: at }, rawSign: 1 };
}

/** Returns the pieces that cover full hours with hour rows only, for windows shown by the hour. */
export function piecesOfHours({ from, to }: Span): Piece[] {
  return from < to ? [{ grain: "hour", sign: 1, from, to }] : [];
}

/**
 * Returns the pieces that cover full hours with day rows. At each end, at most twelve hour rows
 * between the nearest midnight and the end are added or subtracted, whichever reads fewer rows.
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
