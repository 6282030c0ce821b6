import { useRouter } from "@tanstack/react-router";
import { otherTabs } from "../../api/other-tabs.ts";
import { queryClient } from "../../api/query-client.ts";

/**
 * Returns a function that navigates after a login: to the page that required it, or to the start
 * page.
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
