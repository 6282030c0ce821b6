import { useState, type PointerEvent } from "react";
import { acrossOf, LINES, upOf, type LineName, type Plot } from "./chart-lines.tsx";
import type { Bucket } from "./queries.ts";

/** Least width of a dragged range, in pixels: less is a click. */
const LEAST_DRAG_PX = 8;

interface ChartPointerProps {
  plot: Plot;
  buckets: readonly Bucket[];
  names: readonly LineName[];
  pointed: Bucket | undefined;
  onPoint: (bucket: Bucket | undefined) => void;
  onRange: (from: string, to: string) => void;
}

/** Marks the bucket below the pointer, and the range that the pointer is dragged over. */
export function ChartPointer(props: ChartPointerProps) {
  const { plot, buckets, names, pointed, onPoint, onRange } = props;
  const [drag, setDrag] = useState<{ start: number; end: number }>();

  const acrossAt = (event: PointerEvent<SVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    return Math.min(plot.width, Math.max(0, event.clientX - left));
  };
  const onMove = (event: PointerEvent<SVGElement>) => {
    const across = acrossAt(event);
    onPoint(nearest(plot, buckets, across));
    if (drag) setDrag({ ...drag, end: across });
  };
  const onDown = (event: PointerEvent<SVGElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const across = acrossAt(event);
    setDrag({ start: across, end: across });
  };
  const onUp = (event: PointerEvent<SVGElement>) => {
    if (!drag) return;
    setDrag(undefined);
    const [from, to] = [drag.start, acrossAt(event)].toSorted((one, other) => one - other);
    if (from === undefined || to === undefined || to - from < LEAST_DRAG_PX) return;
    onRange(momentAt(plot, from), momentAt(plot, to));
  };

  const mark = pointed && acrossOf(plot, Date.parse(pointed.bucket));
  return (
    <>
      {drag && (
        <rect
          x={Math.min(drag.start, drag.end)}
          width={Math.abs(drag.end - drag.start)}
          height={plot.height}
          className="fill-muted/20"
        />
      )}
      {mark !== undefined && (
        <line x1={mark} x2={mark} y2={plot.height} className="stroke-muted [stroke-dasharray:4]" />
      )}
      {pointed &&
        LINES.filter(({ name }) => names.includes(name)).map(({ name, fill }) => (
          <circle key={name} cx={mark} cy={upOf(plot, pointed[name])} r={4} className={fill} />
        ))}
      <rect
        data-plot
        width={plot.width}
        height={plot.height}
        className="cursor-crosshair touch-pan-y fill-transparent"
        onPointerMove={onMove}
        onPointerDown={onDown}
        onPointerUp={onUp}
        onPointerCancel={() => setDrag(undefined)}
        onPointerLeave={() => onPoint(undefined)}
      />
    </>
  );
}

/** Returns the moment at a distance from the left side. */
const momentAt = ({ from, to, width }: Plot, across: number): string =>
  new Date(from + (across / width) * (to - from)).toISOString();

/** Returns the bucket that is nearest to a distance from the left side. */
function nearest(plot: Plot, buckets: readonly Bucket[], across: number): Bucket | undefined {
  const off = ({ bucket }: Bucket) => Math.abs(acrossOf(plot, Date.parse(bucket)) - across);
  const [first, ...others] = buckets;
  return first && others.reduce((best, one) => (off(one) < off(best) ? one : best), first);
}
