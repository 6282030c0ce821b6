import { COLUMN } from "./page.tsx";
import { useSharedText } from "../text/shared/use-shared-text.ts";

/** Widths of the placeholders, in turn. */
const WIDTHS = ["w-3/5", "w-2/5", "w-1/2"];

/** Placeholders with the height of the rows of a table. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  const text = useSharedText();
  return (
    <div
      data-skeleton
      role="status"
      aria-label={text.loading}
      className="flex animate-pulse flex-col"
    >
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="flex h-10.25 items-center border-b border-line last:border-0">
          <div className={`h-3 rounded bg-sunken ${WIDTHS[line % WIDTHS.length]}`} />
        </div>
      ))}
    </div>
  );
}

export const PageSkeleton = () => (
  <div className={COLUMN}>
    <Skeleton lines={8} />
  </div>
);
