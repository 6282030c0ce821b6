import { queryOptions } from "@tanstack/react-query";
import { api, type Client } from "../../api/client.ts";
import { versioned } from "../../api/versioned.ts";

export type Person = Awaited<ReturnType<Client["projects"]["subscribers"]["get"]>>;

/** A person with the version of their data, for the form that changes it. */
export const personQuery = (projectId: string, subscriberId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "subscribers", "one", subscriberId],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.subscribers.get({ projectId, subscriberId }, { signal, onResponse }),
      ),
  });
