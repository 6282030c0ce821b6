import { queryOptions } from "@tanstack/react-query";
import { api, type Api } from "../../api/client.ts";
import { versioned } from "../../api/versioned.ts";

export type AudienceSettings = Api.AudienceSettings;

/** Audience settings (API reference §12.7), edited by two pages. */
export const audienceSettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "audience-settings"],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.audienceSettings.get({ projectId }, { signal, onResponse }),
      ),
  });
