import { useMutation } from "@tanstack/react-query";
import { api, type Client } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { showToast } from "../../ui/toast.tsx";
import { useAudienceText } from "./use-audience-text.ts";

type Body = Parameters<Client["projects"]["subscribers"]["changeMany"]>[0]["body"];

/** The subscribers of a bulk change: selected by ids, or by a filter. */
export type Who = Pick<Body, "ids" | "filter">;

export type BulkChange =
  | { action: "set_status"; status: "active" | "unsubscribed" }
  | { action: "add_tags" | "remove_tags"; tags: string[] }
  | { action: "set_topics"; topics: Record<string, "subscribed" | "unsubscribed"> }
  | { action: "delete" };

/** A bulk change in progress. Subscribers selected meanwhile are not included. */
export interface BulkCall {
  what: BulkChange;
  who: Who;
  signal?: AbortSignal | undefined;
}

/**
 * Changes many subscribers, and reports the number; `undoOf` returns the function that reverts a
 * change.
 */
export function useBulkChange(
  onDone: (call: BulkCall) => void,
  undoOf?: (call: BulkCall) => (() => void) | undefined,
) {
  const text = useAudienceText();
  const { id: projectId } = useProject();
  return useMutation({
    mutationFn: async ({ what, who, signal }: BulkCall) => {
      // one call changes up to 1,000 subscribers
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
    // before the selection changes or the rows show the new values
    onMutate: (call) => undoOf?.(call),
    onSuccess: (changed, call, undo) => {
      onDone(call);
      showToast(text.changed(changed), undo);
    },
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: ["project", projectId, "subscribers"] }),
  });
}
