import { COLUMN } from "./page.tsx";
import { useSharedText } from "../text/shared/use-shared-text.ts";

/** Gray placeholder lines with the height of the content. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  const text = useSharedText();
  return (
    <div
      data-skeleton
      role="status"
      aria-label={text.loading}
      className="flex animate-pulse flex-col gap-3"
    >
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="h-6 rounded bg-sunken" />
      ))}
    </div>
  );
}

export const PageSkeleton = () => (
  <div className={COLUMN}>
    <Skeleton lines={8} />
  </div>
);
