import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { plural } from "../../lib/format.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/**
 * Number of active subscribers that match a segment's condition; renders nothing until it is known.
 */
export function SegmentCount({ where }: { where: string }) {
  const text = useBroadcastsText();
  const { id: projectId } = useProject();
  const active = `status:active and (${where})`;
  const { data } = useQuery({
    queryKey: ["project", projectId, "subscribers", "sample", active],
    queryFn: ({ signal }) =>
      api.projects.segments.preview({ projectId, body: { where: active } }, { signal }),
    staleTime: 60_000,
  });
  if (!data) return null;
  const count = plural(data.count, text.person, text.people);
  return <strong className="font-medium">{data.more ? text.moreThan(count) : count}</strong>;
}
