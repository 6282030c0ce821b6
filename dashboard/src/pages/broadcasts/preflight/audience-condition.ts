import type { Segment } from "../../../api/audience.ts";
import type { Broadcast } from "../states.ts";

/**
 * Returns the condition of a draft's audience as one line, without suppressions (API reference
 * §12.9).
 */
export function audienceCondition(draft: Broadcast, segments: readonly Segment[]): string {
  const { topic_id, segment_id, where, exclude_segment_ids } = draft;
  const whereOf = (id: string) => segments.find((one) => one.id === id)?.where;
  const segment = segment_id === null ? undefined : whereOf(segment_id);
  return [
    "status:active",
    ...(topic_id === null ? [] : [`topic:${topic_id}`]),
    ...(segment === undefined ? [] : [`(${segment})`]),
    ...(where === null ? [] : [`(${where})`]),
    ...exclude_segment_ids.flatMap((id) => {
      const excluded = whereOf(id);
      return excluded === undefined ? [] : [`not (${excluded})`];
    }),
  ].join(" and ");
}
