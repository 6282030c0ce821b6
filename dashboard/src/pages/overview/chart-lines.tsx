import { memo } from "react";
import { formatNumber } from "../../lib/format.ts";
import { numberTicks, timeTicks } from "./chart-ticks.ts";
import type { Bucket } from "./queries.ts";

/** The lines of the chart in their order, with the looks of their colours. */
export const LINES = [
  { name: "delivered", stroke: "stroke-accent", fill: "fill-accent", swatch: "bg-accent" },
  { name: "opened", stroke: "stroke-good", fill: "fill-good", swatch: "bg-good" },
  { name: "clicked", stroke: "stroke-warn", fill: "fill-warn", swatch: "bg-warn" },
  { name: "bounced", stroke: "stroke-bad", fill: "fill-bad", swatch: "bg-bad" },
] as const;

export type LineName = (typeof LINES)[number]["name"];

/** The place of the lines in the chart, and the scales of both axes. */
export interface Plot {
  width: number;
  height: number;
  from: number;
  to: number;
  top: number;
}

export const MARGIN = { left: 48, right: 12, top: 8, bottom: 24 };
const LEAST_TOP = 4;
const TICK_PX = { across: 80, up: 40 };
const LEAST_PX_OF_POINT = 10;

/** Returns the scales for lines: from 0 to a little above the highest number. */
export function plotOf(
  buckets: readonly Bucket[],
  names: readonly LineName[],
  width: number,
  height: number,
): Plot {
  const most = Math.max(0, ...buckets.flatMap((bucket) => names.map((name) => bucket[name])));
  const times = buckets.map(({ bucket }) => Date.parse(bucket));
  return {
    width: Math.max(1, width - MARGIN.left - MARGIN.right),
    height: Math.max(1, height - MARGIN.top - MARGIN.bottom),
    from: times[0] ?? 0,
    to: times.at(-1) ?? 0,
    top: Math.max(LEAST_TOP, most * 1.1),
  };
}

/** Returns the distance of a moment from the left side; a single moment stands in the middle. */
export const acrossOf = ({ from, to, width }: Plot, at: number): number =>
  from === to ? width / 2 : ((at - from) / (to - from)) * width;

export const upOf = ({ top, height }: Plot, value: number): number =>
  height - (value / top) * height;

interface ChartLinesProps {
  plot: Plot;
  buckets: readonly Bucket[];
  names: readonly LineName[];
}

/** Draws the axes and the lines. It draws again only when they change, not with the pointer. */
export const ChartLines = memo(function ChartLines({ plot, buckets, names }: ChartLinesProps) {
  const { width, height, from, to, top } = plot;
  const hasPoints = width / Math.max(1, buckets.length) >= LEAST_PX_OF_POINT;
  const times =
    buckets.length === 0 ? [] : timeTicks(from, to, Math.max(2, width / TICK_PX.across));
  return (
    <>
      {numberTicks(top, Math.max(1, height / TICK_PX.up)).map((value) => (
        <g key={value} transform={`translate(0 ${upOf(plot, value)})`}>
          <line x2={width} className="stroke-line" />
          <text x={-8} dy="0.32em" textAnchor="end" className="fill-muted text-xs">
            {formatNumber(value)}
          </text>
        </g>
      ))}
      {times.map(({ at, label }) => (
        <g key={at} transform={`translate(${acrossOf(plot, at)} 0)`}>
          <line y2={height} className="stroke-line" />
          <text y={height + 16} textAnchor="middle" className="fill-muted text-xs">
            {label}
          </text>
        </g>
      ))}
      {LINES.filter(({ name }) => names.includes(name)).map(({ name, stroke, fill }) => {
        const points = buckets.map((bucket) => ({
          x: acrossOf(plot, Date.parse(bucket.bucket)),
          y: upOf(plot, bucket[name]),
        }));
        return (
          <g key={name}>
            <polyline
              points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")}
              className={`fill-none stroke-2 ${stroke}`}
            />
            {(hasPoints || points.length === 1) &&
              points.map(({ x, y }) => <circle key={x} cx={x} cy={y} r={2.5} className={fill} />)}
          </g>
        );
      })}
    </>
  );
});
