import { useMutation } from "@tanstack/react-query";
import { api, type Client } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { showToast } from "../../ui/toast.tsx";
import { useAudienceText } from "./use-audience-text.ts";

type Body = Parameters<Client["projects"]["subscribers"]["changeMany"]>[0]["body"];

/** The people of a bulk change: some by their ids, or all whom a filter lets through. */
export type Who = Pick<Body, "ids" | "filter">;

export type BulkChange =
  | { action: "set_status"; status: "active" | "unsubscribed" }
  | { action: "add_tags" | "remove_tags"; tags: string[] }
  | { action: "delete" };

/** A change of some people. Whom somebody chooses while it is on its way is none of them. */
export interface BulkCall {
  what: BulkChange;
  who: Who;
  signal?: AbortSignal | undefined;
}

/** Changes many people, and says how many; `undoOf` returns the function that undoes a change. */
export function useBulkChange(
  onDone: (call: BulkCall) => void,
  undoOf?: (call: BulkCall) => (() => void) | undefined,
) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  return useMutation({
    mutationFn: async ({ what, who, signal }: BulkCall) => {
      // one call changes up to 1,000 people
      for (let sum = 0; ;) {
        const body = { ...what, ...who };
        const { changed, more } = await api.projects.subscribers.changeMany(
          { projectId, body },
          signal && { signal },
        );
        sum += changed;
        if (!more) return sum;
      }
    },
    // before somebody chooses others, and before the rows show the change
    onMutate: (call) => undoOf?.(call),
    onSuccess: (changed, call, undo) => {
      onDone(call);
      showToast(text.changed(changed), undo);
    },
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: ["project", projectId, "subscribers"] }),
  });
}
