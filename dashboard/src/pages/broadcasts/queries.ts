import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { versioned } from "../../api/versioned.ts";
import type { Broadcast } from "./states.ts";

/** A broadcast with its version, which changes must send. */
export interface VersionedBroadcast {
  broadcast: Broadcast;
  version: string;
}

/** Reads the response of a call together with its version. */
export async function withVersion(
  call: (onResponse: (response: Response) => void) => Promise<Broadcast>,
): Promise<VersionedBroadcast> {
  const { value: broadcast, version } = await versioned(call);
  return { broadcast, version };
}

export const broadcastQuery = (projectId: string, broadcastId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "broadcasts", broadcastId],
    queryFn: ({ signal }) =>
      withVersion((onResponse) =>
        api.projects.broadcasts.get({ projectId, broadcastId }, { signal, onResponse }),
      ),
  });
