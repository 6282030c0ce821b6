import { queryOptions } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { versioned } from "../../api/versioned.ts";

export type AudienceSettings = Api.AudienceSettings;

/** The settings of the audience (API reference §12.7), which two pages change. */
export const audienceSettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "audience-settings"],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.audienceSettings.get({ projectId }, { signal, onResponse }),
      ),
  });
