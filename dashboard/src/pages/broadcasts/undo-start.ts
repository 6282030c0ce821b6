import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { showToast } from "../../ui/toast.tsx";

/** Makes a scheduled broadcast a draft again, and says so if the first mail was faster. */
export async function undoStart(projectId: string, broadcastId: string): Promise<void> {
  await api.projects.broadcasts
    .undoStart({ projectId, broadcastId })
    .catch(({ message }: Error) => showToast(message));
  await queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
}
