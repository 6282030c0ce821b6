import { useEffect, useMemo, useRef, useState } from "react";
import { ChartLines, LINES, MARGIN, plotOf, type LineName } from "./chart-lines.tsx";
import { ChartLegend } from "./chart-legend.tsx";
import { ChartPointer } from "./chart-pointer.tsx";
import type { Bucket, Series } from "./queries.ts";

interface SeriesChartProps {
  series: Series;
  onRange: (from: string, to: string) => void;
}

const LEGEND_PX = 32;

/** Draws the chart. It follows the size of its place; the table beside it has the same numbers. */
export default function SeriesChart({ series, onRange }: SeriesChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<{ width: number; height: number }>();
  const [hidden, setHidden] = useState<readonly LineName[]>([]);
  const [pointed, setPointed] = useState<Bucket>();
  const buckets = series.series;

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);

  const names = useMemo(
    () => LINES.map(({ name }) => name).filter((name) => !hidden.includes(name)),
    [hidden],
  );
  const plot = useMemo(
    () => size && plotOf(buckets, names, size.width, size.height - LEGEND_PX),
    [buckets, names, size],
  );

  return (
    <div ref={place} aria-hidden className="h-full w-full overflow-hidden contain-inline-size">
      {size && plot && (
        <>
          <svg width={size.width} height={size.height - LEGEND_PX} className="select-none">
            <g transform={`translate(${MARGIN.left} ${MARGIN.top})`}>
              <ChartLines plot={plot} buckets={buckets} names={names} />
              <ChartPointer
                plot={plot}
                buckets={buckets}
                names={names}
                pointed={pointed}
                onPoint={setPointed}
                onRange={onRange}
              />
            </g>
          </svg>
          <ChartLegend series={series} pointed={pointed} hidden={hidden} onHide={setHidden} />
        </>
      )}
    </div>
  );
}
