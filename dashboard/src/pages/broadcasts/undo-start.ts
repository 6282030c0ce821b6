import { api, PostriderError } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { showFailure } from "../../ui/show-failure.ts";

/**
 * Makes a scheduled broadcast a draft again. Says so if the first mail was faster; any other
 * failure leaves the time to try again.
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
