import { queryOptions } from "@tanstack/react-query";
import { api, type Client } from "./client.ts";

export type Segment = Awaited<
  ReturnType<Client["projects"]["segments"]["list"]>
>["segments"][number];

export const segmentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "segments"],
    queryFn: ({ signal }) => api.projects.segments.list({ projectId }, { signal }),
  });

export type Topic = Awaited<ReturnType<Client["projects"]["topics"]["list"]>>["topics"][number];

export const topicsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "topics"],
    queryFn: ({ signal }) => api.projects.topics.list({ projectId }, { signal }),
  });

/** The tags of a project with the numbers of their people. */
export const tagsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "subscribers", "tags"],
    queryFn: ({ signal }) => api.projects.tags.list({ projectId }, { signal }),
  });
