import { useRouter } from "@tanstack/react-router";
import { otherTabs } from "../../api/other-tabs.ts";
import { queryClient } from "../../api/query-client.ts";

/**
 * Returns the function that leads on after a login: to the page that asked for it, or to the start.
 */
export function useSignedIn(next = "/"): () => Promise<void> {
  const router = useRouter();
  return async () => {
    queryClient.clear();
    otherTabs.tellLogin();
    await router.invalidate();
    router.history.push(next);
  };
}
