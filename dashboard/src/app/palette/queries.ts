import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

/** Maximum entries per kind. */
export const MOST_OF_A_KIND = 10;

/** Broadcasts of each list that the palette searches. */
const NEWEST = 100;

/** Lists of broadcasts: started ones, and those not yet started. */
const LISTS = [{}, { state: "scheduled" }, { state: "draft" }] as const;

export const newestBroadcastsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "broadcasts", "names"],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        LISTS.map((list) =>
          api.projects.broadcasts.list({ projectId, limit: NEWEST, ...list }, { signal }),
        ),
      );
      return lists.flatMap(({ broadcasts }) => broadcasts);
    },
  });

/** Subscribers whose address or name starts with a text. */
export const peopleQuery = (projectId: string, search: string) =>
  queryOptions({
    queryKey: ["project", projectId, "subscribers", "names", search],
    queryFn: ({ signal }) =>
      api.projects.subscribers.list({ projectId, search, limit: MOST_OF_A_KIND }, { signal }),
  });
