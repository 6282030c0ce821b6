import { useQuery } from "@tanstack/react-query";
import { segmentQuery, segmentsQuery } from "../../api/audience.ts";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { NamedList } from "./named-list.tsx";
import { SegmentForm } from "./segment-form.tsx";
import { SegmentTags } from "./segment-tags.tsx";
import { useAudienceText } from "./use-audience-text.ts";

/** Saved conditions on subscribers, for broadcasts. */
export function SegmentsPage() {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  const query = segmentsQuery(projectId);
  return (
    <NamedList
      title={text.segments}
      lead={text.segmentsLead}
      query={useQuery({ ...query, select: ({ segments }) => segments })}
      queryKey={query.queryKey}
      columns={[{ key: "where", head: text.where, cell: ({ where }) => <code>{where}</code> }]}
      acts={(segment) => <SegmentTags segment={segment} />}
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
      form={(segment, onDone) => <SegmentForm stored={segment} onDone={onDone} />}
    />
  );
}
