import { queryOptions } from "@tanstack/react-query";
import { api, type Api } from "./client.ts";
import { versioned } from "./versioned.ts";

export type Segment = Api.Segment;

export const segmentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "segments"],
    queryFn: ({ signal }) => api.projects.segments.list({ projectId }, { signal }),
  });

/** A segment with its version, for an edit form. */
export const segmentQuery = (projectId: string, segmentId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "segments", segmentId],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.segments.get({ projectId, segmentId }, { signal, onResponse }),
      ),
  });

export type Topic = Api.Topic;

export const topicsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "topics"],
    queryFn: ({ signal }) => api.projects.topics.list({ projectId }, { signal }),
  });

/** A topic with its version, for an edit form. */
export const topicQuery = (projectId: string, topicId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "topics", topicId],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.topics.get({ projectId, topicId }, { signal, onResponse }),
      ),
  });

/** Tags of a project with their subscriber counts. */
export const tagsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "subscribers", "tags"],
    queryFn: ({ signal }) => api.projects.tags.list({ projectId }, { signal }),
  });
