import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { formatDay } from "../../lib/format.ts";
import { bodyOf, changesOf, type DraftFields } from "./draft-fields.ts";
import { broadcastQuery, withVersion } from "./queries.ts";
import { isNew } from "./new-draft.ts";
import type { DraftEdit } from "./use-draft-edit.ts";
import { useBroadcastsText } from "./use-broadcasts-text.ts";

/** Saves the changed fields of a draft, or creates it. Returns the stored draft. */
export function useSaveDraft(edit: DraftEdit) {
  const text = useBroadcastsText();
  const { draft, version } = edit;
  const { id: broadcastId, project_id: projectId } = draft;
  return useMutation({
    mutationFn: async (sent: DraftFields) => {
      const name = sent.name.trim() || text.unnamed(formatDay(new Date().toISOString()));
      const named = { ...sent, name };
      const saved = await withVersion((onResponse) =>
        isNew(draft)
          ? api.projects.broadcasts.create(
              { projectId, body: bodyOf(draft, named) },
              { onResponse },
            )
          : api.projects.broadcasts.update(
              { projectId, broadcastId, body: changesOf(draft, named) },
              { ifMatch: version, onResponse },
            ),
      );
      queryClient.setQueryData(broadcastQuery(projectId, saved.broadcast.id).queryKey, saved);
      edit.saved(saved.broadcast, saved.version, sent);
      return saved.broadcast;
    },
    // not awaited: a count of people that is left meanwhile would never end
    onSettled: () =>
      void queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] }),
  });
}
