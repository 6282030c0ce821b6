import { useQueries, useQuery } from "@tanstack/react-query";
import {
  segmentCountsQuery,
  segmentQuery,
  segmentsQuery,
  type Segment,
} from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { formatNumber } from "../../lib/format.ts";
import { RuleWords } from "../../parts/segments/rule-words.tsx";
import { useRuleFields } from "../../parts/segments/use-rule-fields.ts";
import { NamedList } from "./named-list.tsx";
import { SegmentForm } from "./segment-form.tsx";
import { SegmentBulk } from "./segment-bulk.tsx";
import { useAudienceText } from "./use-audience-text.ts";

/** Saved conditions on subscribers, for broadcasts. */
export function SegmentsPage() {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const query = segmentsQuery(projectId);
  const segments = useQuery({ ...query, select: ({ segments: rows }) => rows });
  const fields = useRuleFields(projectId);
  const counts = useSegmentCounts(segments.data ?? []);
  return (
    <NamedList
      title={text.segments}
      lead={text.segmentsLead}
      query={segments}
      queryKey={query.queryKey}
      columns={[
        {
          key: "people",
          head: text.people,
          isNumber: true,
          cell: ({ id }) => {
            const found = counts.get(id);
            return found ? text.counted(formatNumber(found.count), found.more) : "–";
          },
        },
        {
          key: "where",
          head: text.where,
          isMinor: true,
          cell: ({ where }) => <RuleWords where={where} fields={fields} />,
        },
      ]}
      acts={(segment) => <SegmentBulk segment={segment} />}
      words={{
        create: text.newSegment,
        none: text.noSegments,
        noneWords: text.noSegmentsWords,
        removal: text.deleteSegmentWords,
      }}
      remove={({ id: segmentId }, signal) =>
        api.projects.segments.delete({ projectId, segmentId }, { signal })
      }
      one={(id) => segmentQuery(projectId, id)}
      isWide
      form={(segment, onDone) => <SegmentForm stored={segment} onDone={onDone} />}
    />
  );
}

/** The number of segments whose people the service counts at once. */
const COUNTED_AT_ONCE = 20;

/** Returns the number of people in each segment, by its id, as far as it is known. */
function useSegmentCounts(segments: readonly Segment[]) {
  const { id: projectId } = useProject();
  const parts = Array.from({ length: Math.ceil(segments.length / COUNTED_AT_ONCE) }, (_, n) =>
    segments.slice(n * COUNTED_AT_ONCE, (n + 1) * COUNTED_AT_ONCE),
  );
  const queries = useQueries({
    queries: parts.map((part) => segmentCountsQuery(projectId, part)),
  });
  const counts = queries.flatMap(({ data }) => data?.counts ?? []);
  return new Map(counts.map((count) => [count.segment_id, count]));
}
