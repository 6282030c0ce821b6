import { api, PostriderError } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { showFailure } from "../../ui/show-failure.ts";

/**
 * Turns a scheduled broadcast back into a draft. Reports if sending has already started; after any
 * other failure the user can try again.
 */
export async function undoStart(
  projectId: string,
  broadcastId: string,
  text: { errorNetwork: string },
): Promise<void> {
  await api.projects.broadcasts.undoStart({ projectId, broadcastId }).catch((error: Error) => {
    const isTooLate = error instanceof PostriderError && error.status === 409;
    const again = () => void undoStart(projectId, broadcastId, text);
    showFailure(error, text, isTooLate ? undefined : again);
  });
  await queryClient.invalidateQueries({ queryKey: ["project", projectId, "broadcasts"] });
}
