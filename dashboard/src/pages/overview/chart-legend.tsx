import { formatNumber } from "../../lib/format.ts";
import { LINES, type LineName } from "./chart-lines.tsx";
import { formatBucket } from "./format-bucket.ts";
import type { Bucket, Series } from "./queries.ts";
import { useOverviewText } from "./use-overview-text.ts";

interface ChartLegendProps {
  series: Series;
  /** The bucket below the pointer, whose numbers are shown. */
  pointed: Bucket | undefined;
  hidden: readonly LineName[];
  onHide: (hidden: readonly LineName[]) => void;
}

/** Names the lines with their numbers at the pointer. A click hides a line and shows it again. */
export function ChartLegend({ series, pointed, hidden, onHide }: ChartLegendProps) {
  const text = useOverviewText();
  return (
    <div className="flex h-8 items-center justify-center gap-4 text-xs whitespace-nowrap">
      {LINES.map(({ name, swatch }) => {
        const isHidden = hidden.includes(name);
        return (
          <button
            key={name}
            type="button"
            tabIndex={-1} // the chart is not there for screen readers and keyboards
            onClick={() =>
              onHide(isHidden ? hidden.filter((one) => one !== name) : [...hidden, name])
            }
            className={`flex items-center gap-1.5 ${isHidden ? "opacity-40" : ""}`}
          >
            <span className={`size-2.5 rounded-full ${swatch}`} />
            {text[name]}
            {pointed && <b className="font-medium tabular-nums">{formatNumber(pointed[name])}</b>}
          </button>
        );
      })}
      {pointed && <span className="text-muted">{formatBucket(pointed.bucket, series)}</span>}
    </div>
  );
}
