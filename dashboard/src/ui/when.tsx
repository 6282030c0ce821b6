import { formatExact, formatRelative } from "../lib/format.ts";
import { useNow } from "../lib/use-now.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";

/** A moment by its distance from now, with the exact time in the reader's zone on hover. */
export function When({ at }: { at: string | null }) {
  const now = useNow();
  const text = useSharedText();
  if (at === null) return <span className="text-muted">{text.never}</span>;
  return (
    <time dateTime={at} title={formatExact(at)} className="whitespace-nowrap">
      {formatRelative(at, now)}
    </time>
  );
}
