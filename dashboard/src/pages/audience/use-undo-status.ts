import { api } from "../../api/client.ts";
import { useProject } from "../../api/projects.ts";
import { queryClient } from "../../api/query-client.ts";
import { useSharedText } from "../../text/shared/use-shared-text.ts";
import { showFailure } from "../../ui/show-failure.ts";
import { STATUSES, type Status, type Subscriber } from "./statuses.ts";

/**
 * Returns a function that prepares the undo of a status change, which restores each subscriber's
 * own former status. Unavailable for subscribers on other pages, whose status is not loaded.
 */
export function useUndoStatus(rows: readonly Subscriber[]) {
  const { id: projectId } = useProject();
  const shared = useSharedText();
  return (chosen: ReadonlySet<string>, status: Status): (() => void) | undefined => {
    const people = rows.filter(({ id }) => chosen.has(id));
    if (people.length < chosen.size) return undefined;
    const undo = async () => {
      for (const before of STATUSES) {
        if (before === status) continue;
        const ids = people.filter((one) => one.status === before).map(({ id }) => id);
        const body = { action: "set_status" as const, status: before, ids };
        if (ids.length > 0) await api.projects.subscribers.changeMany({ projectId, body });
      }
    };
    const refresh = () =>
      queryClient.invalidateQueries({ queryKey: ["project", projectId, "subscribers"] });
    const undoAll = (): void =>
      void undo()
        .catch((error: Error) => showFailure(error, shared, undoAll))
        .then(refresh);
    return undoAll;
  };
}
