import { queryOptions } from "@tanstack/react-query";
import { api, PostriderError, type Api } from "./client.ts";
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

export type Field = Api.Field;

/** The fields that describe the metadata of a project's subscribers. */
export const fieldsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "fields"],
    queryFn: ({ signal }) => api.projects.fields.list({ projectId }, { signal }),
  });

/** The newest imports of a project. */
export const importsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "imports"],
    queryFn: ({ signal }) => api.projects.imports.list({ projectId }, { signal }),
  });

/** How a count is loaded: rarely, and again later if there were too many (API reference §4). */
const COUNTING = {
  staleTime: 60_000,
  refetchOnWindowFocus: false,
  retry: (_: number, error: Error) => error instanceof PostriderError && error.status === 429,
  retryDelay: 10_000,
};

/** The number of people who match a condition, and ten of them. */
export const matchesQuery = (projectId: string, where: string) =>
  queryOptions({
    queryKey: ["project", projectId, "subscribers", "matches", where],
    queryFn: ({ signal }) =>
      api.projects.segments.preview({ projectId, body: { where } }, { signal }),
    ...COUNTING,
  });

/** The numbers of people in segments, at most 20 of them. */
export const segmentCountsQuery = (projectId: string, segments: readonly Segment[]) =>
  queryOptions({
    queryKey: [
      "project",
      projectId,
      "subscribers",
      "in-segments",
      segments.map(({ id, where }) => [id, where]),
    ],
    queryFn: ({ signal }) => {
      const body = { segment_ids: segments.map(({ id }) => id) };
      return api.projects.segments.count({ projectId, body }, { signal });
    },
    ...COUNTING,
  });

/** A field, and what uses it. */
export const fieldQuery = (projectId: string, fieldId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "fields", fieldId],
    queryFn: ({ signal }) => api.projects.fields.get({ projectId, fieldId }, { signal }),
  });
