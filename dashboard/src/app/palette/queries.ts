import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

/** The entries of each kind that the palette shows. */
export const MOST_OF_A_KIND = 10;

/** The broadcasts of each list among which the palette looks. */
const NEWEST = 100;

/** The lists of broadcasts: those that have begun, and those that have not. */
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

/** The people whose address or name begins with a text. */
export const peopleQuery = (projectId: string, search: string) =>
  queryOptions({
    queryKey: ["project", projectId, "subscribers", "names", search],
    queryFn: ({ signal }) =>
      api.projects.subscribers.list({ projectId, search, limit: MOST_OF_A_KIND }, { signal }),
  });
