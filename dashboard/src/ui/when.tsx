import { formatPrecise, formatRelative } from "../lib/format.ts";
import { CLOCK_STEP_MS, useNow } from "../lib/use-now.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";

/** The page's clock ticks in steps: what came after its last tick is not in the future. */
const isJustNow = (at: string, now: number) =>
  Date.parse(at) > now && Date.parse(at) <= now + CLOCK_STEP_MS;

/** A timestamp relative to now, with the exact time in the user's zone on hover. */
export function When({ at }: { at: string | null }) {
  const now = useNow();
  const text = useSharedText();
  if (at === null) return <span className="text-muted">{text.never}</span>;
  return (
    <time dateTime={at} title={formatPrecise(at)} className="whitespace-nowrap">
      {formatRelative(at, isJustNow(at, now) ? Date.parse(at) : now)}
    </time>
  );
}
