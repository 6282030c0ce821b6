import { queryOptions } from "@tanstack/react-query";
import { api, type Client } from "../../api/client.ts";
import { versioned } from "../../api/versioned.ts";

export type AudienceSettings = Awaited<ReturnType<Client["projects"]["audienceSettings"]["get"]>>;

/** The settings of the audience (API reference §12.7), which two pages change. */
export const audienceSettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "audience-settings"],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.audienceSettings.get({ projectId }, { signal, onResponse }),
      ),
  });
