import "uplot/dist/uPlot.min.css";
import { useEffect, useEffectEvent, useRef } from "react";
import uPlot from "uplot";
import { formatNumber, locale } from "../../lib/format.ts";
import { useShownTheme } from "../../lib/theme.ts";
import type { Series } from "./queries.ts";
import { useOverviewText } from "./use-overview-text.ts";

interface SeriesChartProps {
  series: Series;
  onRange: (from: string, to: string) => void;
}

/** Minimum width of a dragged range, in pixels; anything less is a click. */
const LEAST_DRAG_PX = 8;
/** A narrower chart has its legend in three lines. */
const NARROW_PX = 500;

/** Draws the chart, following the size of its container and the theme. */
export default function SeriesChart({ series, onRange }: SeriesChartProps) {
  const text = useOverviewText();
  const place = useRef<HTMLDivElement>(null);
  const theme = useShownTheme();
  const dragged = useEffectEvent((chart: uPlot) => {
    const { left, width } = chart.select;
    if (width < LEAST_DRAG_PX) return;
    const at = (x: number) => new Date(chart.posToVal(x, "x") * 1_000).toISOString();
    onRange(at(left), at(left + width));
  });

  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const color = (name: string) =>
      getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
    const line = (label: string, name: string) => ({
      label,
      stroke: color(name),
      width: 2,
      points: { size: 5 },
      value: (_: uPlot, count: number | null) => (count === null ? "" : formatNumber(count)),
    });
    const time = timeFormat(series);
    const axis = {
      stroke: color("muted"),
      grid: { stroke: color("line"), width: 1 },
      ticks: { show: false },
    };
    const { width, height } = element.getBoundingClientRect();
    const legendPx = width < NARROW_PX ? 96 : 32;
    const chart = new uPlot(
      {
        width,
        height: height - legendPx,
        cursor: { drag: { x: true, y: false, setScale: false } },
        scales: { y: { range: (_, __, most) => [0, Math.max(4, most * 1.1)] } },
        // Buckets are UTC hours and days.
        tzDate: (at) => uPlot.tzDate(new Date(at * 1_000), "UTC"),
        axes: [
          { ...axis, values: (_, times) => times.map(time) },
          { ...axis, values: (_, counts) => counts.map(formatNumber) },
        ],
        series: [
          { label: text.bucket, value: (_, at: number | null) => (at === null ? "" : time(at)) },
          line(text.delivered, "accent"),
          line(text.opened, "good"),
          line(text.clicked, "warn"),
          line(text.bounced, "bad"),
        ],
        hooks: { setSelect: [(self) => dragged(self)] },
      },
      dataOf(series),
      element,
    );
    const observer = new ResizeObserver(([entry]) => {
      if (entry) chart.setSize({ width: entry.contentRect.width, height: height - legendPx });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [series, text, theme]);

  return (
    <div ref={place} aria-hidden className="h-full w-full overflow-hidden contain-inline-size" />
  );
}

/** Returns the formatter of a bucket's start, in seconds. */
function timeFormat({ granularity }: Series): (at: number) => string {
  const format = new Intl.DateTimeFormat(locale(), {
    day: "numeric",
    month: "short",
    ...(granularity === "hour" ? { hour: "2-digit", minute: "2-digit" } : {}),
    timeZone: "UTC",
  });
  return (at) => format.format(new Date(at * 1_000));
}

const dataOf = ({ series }: Series): uPlot.AlignedData => [
  series.map(({ bucket }) => Date.parse(bucket) / 1_000),
  series.map(({ delivered }) => delivered),
  series.map(({ opened }) => opened),
  series.map(({ clicked }) => clicked),
  series.map(({ bounced }) => bounced),
];
