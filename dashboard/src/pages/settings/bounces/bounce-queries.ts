import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { versioned } from "../../../api/versioned.ts";

export const bounceSettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "bounce-settings"],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.bounceSettings.get({ projectId }, { signal, onResponse }),
      ),
  });

export const mailboxQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "bounce-mailbox"],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.bounceMailbox.get({ projectId }, { signal, onResponse }),
      ),
  });

/** The keys with which providers sign their reports. */
export const providerKeysQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "bounce-keys"],
    queryFn: ({ signal }) => api.projects.bounceUrl.signatures.get({ projectId }, { signal }),
  });
