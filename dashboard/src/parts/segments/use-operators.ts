import type { Kind } from "./field-kinds.ts";
import { useSegmentsText } from "./use-segments-text.ts";

/** Returns the words of the operators for a kind of fields. */
export function useOperators() {
  const { operators, dateOperators, activityOperators, eventOperators } = useSegmentsText();
  return (kind: Kind) => ({
    ...operators,
    ...(kind === "date" || kind === "activity" ? dateOperators : {}),
    ...(kind === "activity" ? activityOperators : {}),
    ...(kind === "event" ? eventOperators : {}),
  });
}
