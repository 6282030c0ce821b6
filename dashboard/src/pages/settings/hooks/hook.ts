import { queryOptions } from "@tanstack/react-query";
import { api, type Api } from "../../../api/client.ts";

export type Hook = Api.AuthHook;
export type Service = "supabase" | "clerk" | "stripe";

export const hookQuery = (projectId: string, service: Service) =>
  queryOptions({
    queryKey: ["project", projectId, "auth-hooks", service],
    queryFn: ({ signal }) => api.projects.authHooks.get({ projectId, service }, { signal }),
  });
