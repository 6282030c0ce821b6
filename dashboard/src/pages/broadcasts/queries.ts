import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { Broadcast } from "./states.ts";

/** A broadcast with its version, which a change names. */
export interface Versioned {
  broadcast: Broadcast;
  version: string;
}

/** Reads what a call answers together with its version. */
export async function versioned(
  call: (onResponse: (response: Response) => void) => Promise<Broadcast>,
): Promise<Versioned> {
  let version = "";
  const broadcast = await call(({ headers }) => {
    version = headers.get("ETag") ?? "";
  });
  return { broadcast, version };
}

export const broadcastQuery = (projectId: string, broadcastId: string) =>
  queryOptions({
    queryKey: ["project", projectId, "broadcasts", broadcastId],
    queryFn: ({ signal }) =>
      versioned((onResponse) =>
        api.projects.broadcasts.get({ projectId, broadcastId }, { signal, onResponse }),
      ),
  });
