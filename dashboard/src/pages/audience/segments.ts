import { queryOptions } from "@tanstack/react-query";
import { api, type Client } from "../../api/client.ts";

export type Segment = Awaited<
  ReturnType<Client["projects"]["segments"]["list"]>
>["segments"][number];

export const segmentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "segments"],
    queryFn: ({ signal }) => api.projects.segments.list({ projectId }, { signal }),
  });
