import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { api, PostriderError } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { versioned } from "../../api/versioned.ts";
import { useSettled } from "../../lib/use-settled.ts";
import type { Edited } from "./edit/edited.ts";
import type { AutomationEdit } from "./edit/use-automation-edit.ts";
import { automationQuery, automationsQuery } from "./queries.ts";

interface Sent {
  now: Edited;
  /** What happens to the people inside of a running automation. */
  inside?: "stay" | "move";
}

/** Saves the edits. Somebody else's change leads to a choice instead. */
export function useSave(projectId: string, edit: AutomationEdit) {
  const { id: automationId } = edit.base;
  const query = automationQuery(projectId, automationId);
  return useMutation({
    mutationFn: ({ now, inside }: Sent) => {
      const body = { ...now, goal: now.goal ?? {}, ...(inside ? { inside } : {}) };
      return versioned((onResponse) =>
        api.projects.automations.update(
          { projectId, automationId, body },
          { ifMatch: edit.version, onResponse },
        ),
      );
    },
    onSuccess: (stored, { now }) => {
      queryClient.setQueryData(query.queryKey, stored);
      edit.saved(stored, now);
      void queryClient.invalidateQueries({ ...automationsQuery(projectId), exact: true });
    },
    onError: async (error) => {
      if (isConflict(error)) await queryClient.refetchQueries({ ...query, exact: true });
    },
  });
}

export const isConflict = (error: Error | null): boolean =>
  error instanceof PostriderError && error.status === 412;

/**
 * Saves a draft by itself after a pause in typing, and at once when the page is left; the browser
 * asks before the tab is closed meanwhile. What the service refused is sent again only once it has
 * changed.
 */
export function useAutosave(
  edit: AutomationEdit,
  save: ReturnType<typeof useSave>,
  isOn: boolean,
): void {
  const { now, isChanged, theirs } = edit;
  const settled = useSettled(now, 700);
  const isRefused = save.isError && save.variables.now === now;
  const mayGo = isOn && isChanged && !theirs && !save.isPending && !isRefused;
  const go = useEffectEvent(() => save.mutate({ now }));
  const leave = useEffectEvent(() => {
    if (mayGo) go();
  });
  useEffect(() => {
    if (mayGo && settled === now) go();
  }, [mayGo, settled, now]);
  useEffect(() => () => leave(), []);
  useEffect(() => {
    if (!isOn || !isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isOn, isChanged]);
}
