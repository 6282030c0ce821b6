import { useLayoutEffect, useRef, useState, type PointerEvent } from "react";
import { formatNumber, locale } from "../../lib/format.ts";
import type { Series } from "./queries.ts";
import { useOverviewText } from "./use-overview-text.ts";

interface SeriesChartProps {
  series: Series;
  /** The period before; undefined until it is loaded. */
  before: Series | undefined;
  onRange: (from: string, to: string) => void;
}

/** Minimum width of a dragged range, in pixels; anything less is a click. */
const LEAST_DRAG_PX = 8;
/** Space for the labels of the axes. */
const [LEFT_PX, RIGHT_PX, TOP_PX, BOTTOM_PX] = [44, 12, 8, 24];
const HEIGHT_PX = 220;
/** Least distance between two labels of the time axis. */
const LABEL_PX = 76;
/** The least number at the top of the chart. */
const LEAST_TOP = 4;

/**
 * The delivered emails of a period, and those of the period before as a dashed line. The pointer
 * shows numbers, and dragging it chooses a period.
 */
export function SeriesChart({ series: whole, before, onRange }: SeriesChartProps) {
  const { series, granularity } = whole;
  const text = useOverviewText();
  const [place, width] = useWidth();
  const [at, setAt] = useState<number>();
  const [dragged, setDragged] = useState<number>();
  const times = series.map(({ bucket }) => Date.parse(bucket));
  const [first = 0, last = first + 1] = [times[0], times.at(-1)];
  const counts = series.map(({ delivered }) => delivered);
  const former = before?.series.slice(0, series.length).map(({ delivered }) => delivered) ?? [];
  const lines = [
    { name: text.before, look: "stroke-edge", counts: former, dashes: "4 4" },
    { name: text.delivered, look: "stroke-accent", counts, dashes: undefined },
  ];
  const most = Math.max(...counts, ...former, LEAST_TOP);
  const step = niceStep(most / 4);
  const top = Math.ceil(most / step) * step;
  const plot = { width: width - LEFT_PX - RIGHT_PX, height: HEIGHT_PX - TOP_PX - BOTTOM_PX };
  const xOf = (time: number) => LEFT_PX + ((time - first) / (last - first || 1)) * plot.width;
  const yOf = (count: number) => TOP_PX + (1 - count / top) * plot.height;
  const pointsOf = (some: number[]) =>
    some.map((count, n) => `${xOf(times[n] ?? 0)} ${yOf(count)}`).join("L");
  const timeAt = (x: number) => first + ((x - LEFT_PX) / plot.width) * (last - first);
  const nearest = at === undefined ? undefined : nearestTo(times, timeAt(at));
  const shown = nearest === undefined ? undefined : series[nearest];
  const format = timeFormat(granularity);
  const every = Math.ceil(series.length / Math.max(Math.floor(plot.width / LABEL_PX), 1));

  const xOfPointer = ({ currentTarget, clientX }: PointerEvent) =>
    Math.min(
      Math.max(clientX - currentTarget.getBoundingClientRect().left, LEFT_PX),
      LEFT_PX + plot.width,
    );
  const release = (event: PointerEvent) => {
    const [from, to] = [dragged ?? 0, xOfPointer(event)].toSorted((a, b) => a - b);
    setDragged(undefined);
    if (dragged === undefined || from === undefined || to === undefined) return;
    if (to - from < LEAST_DRAG_PX) return;
    onRange(new Date(timeAt(from)).toISOString(), new Date(timeAt(to)).toISOString());
  };

  return (
    <div ref={place} aria-hidden className="overflow-hidden contain-inline-size">
      <ul className="mb-2 flex min-h-11 flex-wrap items-center gap-x-5 text-sm text-muted sm:min-h-5">
        {lines.toReversed().map((line) => (
          <li key={line.name} className="flex items-center gap-2">
            <svg className={`h-2 w-5 stroke-2 ${line.look}`}>
              <path d="M0 4h20" strokeDasharray={line.dashes} />
            </svg>
            {line.name}
            {nearest !== undefined && line.counts[nearest] !== undefined && (
              <span className="text-ink tabular-nums">{formatNumber(line.counts[nearest])}</span>
            )}
          </li>
        ))}
        {shown && <li className="ml-auto">{format.format(Date.parse(shown.bucket))}</li>}
      </ul>
      <svg
        data-chart
        width={width}
        height={HEIGHT_PX}
        className="cursor-crosshair touch-pan-y text-xs select-none"
        onPointerMove={(event) => setAt(xOfPointer(event))}
        onPointerLeave={() => setAt(undefined)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(xOfPointer(event));
        }}
        onPointerUp={release}
        onPointerCancel={() => setDragged(undefined)}
      >
        {Array.from({ length: Math.round(top / step) + 1 }, (_, line) => (
          <g key={line}>
            <path d={`M${LEFT_PX} ${yOf(line * step)}h${plot.width}`} className="stroke-line" />
            <text
              x={LEFT_PX - 8}
              y={yOf(line * step)}
              dy="0.32em"
              textAnchor="end"
              className="fill-muted"
            >
              {formatNumber(line * step)}
            </text>
          </g>
        ))}
        {times.map(
          (time, n) =>
            (times.length - 1 - n) % every === 0 && (
              <text
                key={time}
                x={xOf(time)}
                y={HEIGHT_PX - 4}
                textAnchor={n === times.length - 1 ? "end" : "middle"}
                className="fill-muted"
              >
                {format.format(time)}
              </text>
            ),
        )}
        <path
          d={`M${xOf(first)} ${yOf(0)}L${pointsOf(counts)}L${xOf(last)} ${yOf(0)}`}
          className="fill-accent/15"
        />
        {lines.map((line) => (
          <path
            key={line.name}
            d={line.counts.length > 0 ? `M${pointsOf(line.counts)}` : ""}
            fill="none"
            strokeWidth={line.dashes ? 1.25 : 2}
            strokeDasharray={line.dashes}
            strokeLinejoin="round"
            className={line.look}
          />
        ))}
        {shown && nearest !== undefined && (
          <g className="fill-surface stroke-2">
            <path
              d={`M${xOf(times[nearest] ?? 0)} ${TOP_PX}v${plot.height}`}
              strokeWidth={1}
              className="stroke-edge"
            />
            {lines.map(
              (line) =>
                line.counts[nearest] !== undefined && (
                  <circle
                    key={line.name}
                    cx={xOf(times[nearest] ?? 0)}
                    cy={yOf(line.counts[nearest])}
                    r={3.5}
                    className={line.look}
                  />
                ),
            )}
          </g>
        )}
        {dragged !== undefined && at !== undefined && (
          <rect
            x={Math.min(dragged, at)}
            y={TOP_PX}
            width={Math.abs(at - dragged)}
            height={plot.height}
            className="fill-accent/15"
          />
        )}
      </svg>
    </div>
  );
}

/** Returns a ref and the width of its element, in pixels. */
function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, Math.max(width, LEFT_PX + RIGHT_PX + 1)] as const;
}

/** Returns the next larger of 1, 2 and 5, and these times a power of ten. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((one) => one * power >= least) ?? 10);
}

const nearestTo = (times: number[], time: number): number =>
  times.reduce(
    (best, one, n) => (Math.abs(one - time) < Math.abs((times[best] ?? 0) - time) ? n : best),
    0,
  );

/** Returns the format of a bucket's start. Buckets are UTC hours and days. */
const timeFormat = (granularity: Series["granularity"]) =>
  new Intl.DateTimeFormat(locale(), {
    day: "numeric",
    month: "short",
    ...(granularity === "hour" ? { hour: "2-digit", minute: "2-digit" } : {}),
    timeZone: "UTC",
  });
