import { queryOptions } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { beforeOf } from "./range.ts";

export type Series = Api.Series;
export type Growth = Api.AudienceGrowth;
export type Bucket = Series["series"][number];

interface Moments {
  from: string;
  to: string;
}

const RUNNING_POLL_MS = 4_000;
/** Enough for the best broadcasts of most periods. */
const NEWEST_BROADCASTS = 25;

export const statsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "stats"],
    queryFn: ({ signal }) => api.projects.stats({ projectId }, { signal }),
  });

export const seriesQuery = (projectId: string, { from, to }: Moments) =>
  queryOptions({
    queryKey: ["project", projectId, "series", from, to],
    queryFn: ({ signal }) => api.projects.series({ projectId, from, to }, { signal }),
    placeholderData: (before) => before, // keeps the chart while the next one loads
  });

/** The series of the period before one that is loaded. */
export const beforeQuery = (projectId: string, series: Series | undefined) => ({
  ...seriesQuery(projectId, series ? beforeOf(series) : { from: "", to: "" }),
  enabled: series !== undefined,
});

export const growthQuery = (projectId: string, { from, to }: Moments) =>
  queryOptions({
    queryKey: ["project", projectId, "growth", from, to],
    queryFn: ({ signal }) => api.projects.growth({ projectId, from, to }, { signal }),
    placeholderData: (before) => before,
  });

export const openTimesQuery = (projectId: string, { from, to }: Moments) =>
  queryOptions({
    queryKey: ["project", projectId, "open-times", from, to],
    queryFn: ({ signal }) => api.projects.openTimes({ projectId, from, to }, { signal }),
    placeholderData: (before) => before,
  });

export const analyticsQuery = (projectId: string, { from, to }: Moments) =>
  queryOptions({
    queryKey: ["project", projectId, "analytics", from, to],
    queryFn: ({ signal }) => api.projects.analytics.overview({ projectId, from, to }, { signal }),
  });

export const sendingQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "sending"],
    queryFn: ({ signal }) => api.projects.sending.get({ projectId }, { signal }),
  });

export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => api.service.health({}, { signal }),
  staleTime: 60_000,
});

/** The newest broadcasts; polled only while one of them runs. */
export const newestBroadcastsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "broadcasts", "newest"],
    queryFn: ({ signal }) =>
      api.projects.broadcasts.list({ projectId, limit: NEWEST_BROADCASTS }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.broadcasts.some(isRunning) ? RUNNING_POLL_MS : false,
  });

/** The progress of a running broadcast. */
export const reportQuery = (projectId: string, broadcastId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "broadcasts", broadcastId, "report"],
    queryFn: ({ signal }) => api.projects.broadcasts.report({ projectId, broadcastId }, { signal }),
    refetchInterval: RUNNING_POLL_MS, // its card is shown only while the broadcast runs
  });

/** Returns true if a broadcast is still sending. */
export const isRunning = ({ state }: { state: string }): boolean =>
  state === "queued" || state === "sending";
