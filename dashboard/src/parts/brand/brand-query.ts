import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { versioned } from "../../api/versioned.ts";

/** The brand of a project, with its version. */
export const brandQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "brand"],
    queryFn: ({ signal }) =>
      versioned((onResponse) => api.projects.brand.get({ projectId }, { signal, onResponse })),
  });
