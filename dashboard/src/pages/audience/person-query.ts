import { queryOptions } from "@tanstack/react-query";
import { api, type Client } from "../../api/client.ts";
import { versioned } from "../../api/versioned.ts";

export type Person = Awaited<ReturnType<Client["projects"]["subscribers"]["get"]>>;

/** A subscriber with the version of their data, for the edit form. */
export const personQuery = (projectId: string, subscriberId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "subscribers", "one", subscriberId],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.subscribers.get({ projectId, subscriberId }, { signal, onResponse }),
      ),
  });
