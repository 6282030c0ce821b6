import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { useSettled } from "../../lib/use-settled.ts";

/** Fields that define an audience; empty ones do not narrow it. */
export interface Audience {
  topic_id: string | null;
  segment_id: string | null;
  where: string | null;
  exclude_segment_ids: string[];
}

/** Counts who would get a draft with this audience, after a pause in typing. */
export function useAudienceCount(broadcastId: string, audience: Audience) {
  const { id: projectId } = useProject();
  const { topic_id, segment_id, where, exclude_segment_ids } = useSettled(audience);
  const body = {
    topic_id: topic_id ?? "",
    segment_id: segment_id ?? "",
    where: where ?? "",
    exclude_segment_ids,
  };
  return useQuery({
    queryKey: ["project", projectId, "broadcasts", broadcastId, "audience", body],
    queryFn: ({ signal }) =>
      api.projects.broadcasts.countAudience({ projectId, broadcastId, body }, { signal }),
    enabled: broadcastId !== "",
    placeholderData: keepPreviousData,
  });
}
