import { ceilTo, DAY_MS, floorTo, HOUR_MS } from "../../../lib/durations.ts";
import type { Grain } from "../rollups/grains.ts";

/** An inclusive start and an exclusive end, in milliseconds. */
export interface Span {
  from: number;
  to: number;
}

/** Whole hours or days, which rollups count. */
export interface Piece extends Span {
  grain: Grain;
}

/** A part of an hour at an end of a window, which only the log counts exactly. */
export interface Edge extends Span {
  /** The start of the hour. */
  hour: number;
}

/** Divides full hours into days and the hours before and after them, or leaves them undivided. */
export function piecesOf(hours: Span, byHour: boolean): Piece[] {
  const days = { from: ceilTo(hours.from, DAY_MS), to: floorTo(hours.to, DAY_MS) };
  const pieces: Piece[] =
    byHour || days.from >= days.to
      ? [{ grain: "hour", ...hours }]
      : [
          { grain: "hour", from: hours.from, to: days.from },
          { grain: "day", ...days },
          { grain: "hour", from: days.to, to: hours.to },
        ];
  return pieces.filter(({ from, to }) => from < to);
}

/** Returns the full hours of a window, and the parts of hours at its ends. */
export function hoursAndEdges({ from, to }: Span): { hours: Span; edges: Edge[] } {
  const hours = { from: ceilTo(from, HOUR_MS), to: floorTo(to, HOUR_MS) };
  if (hours.from > hours.to) return { hours, edges: [{ hour: hours.to, from, to }] };
  const edges = [
    { hour: hours.from - HOUR_MS, from, to: hours.from },
    { hour: hours.to, from: hours.to, to },
  ];
  return { hours, edges: edges.filter((edge) => edge.from < edge.to) };
}

/** Returns the full hours that a window touches. */
export const touchedHours = ({ from, to }: Span): Span => ({
  from: floorTo(from, HOUR_MS),
  to: ceilTo(to, HOUR_MS),
});
