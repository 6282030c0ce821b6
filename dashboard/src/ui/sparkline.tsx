const WIDTH = 96;
const HEIGHT = 24;
/** Keeps the line inside of the picture where it touches an edge. */
const INSET = 1.5;

/** A small line of counts over time, with a text in its place for screen readers. */
export function Sparkline({ counts, label }: { counts: readonly number[]; label: string }) {
  const most = Math.max(...counts, 1);
  const step = WIDTH / Math.max(counts.length - 1, 1);
  const points = counts
    .map((count, n) => `${n * step} ${HEIGHT - INSET - (count / most) * (HEIGHT - 2 * INSET)}`)
    .join("L");
  return (
    <span title={label} className="inline-block align-middle">
      <svg
        aria-hidden
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="h-6 w-24"
        preserveAspectRatio="none"
      >
        <path d={`M0 ${HEIGHT}L${points}L${WIDTH} ${HEIGHT}`} className="fill-accent/15" />
        <path
          d={`M${points}`}
          fill="none"
          strokeWidth={1.5}
          strokeLinejoin="round"
          className="stroke-accent"
        />
      </svg>
      <span className="sr-only">{label}</span>
    </span>
  );
}
