import { useEffect } from "react";
import { queryClient } from "../api/query-client.ts";
import { watchUnseenFailures } from "../api/unseen-failures.ts";
import { useSharedText } from "../text/shared/use-shared-text.ts";
import { sayError } from "../ui/error-words.tsx";
import { showToast } from "../ui/toast.tsx";

/** Shows a toast for mutations that failed after the user left their page. */
export function UnseenFailures() {
  const text = useSharedText();
  useEffect(
    () =>
      watchUnseenFailures(queryClient.getMutationCache(), (error) =>
        showToast(text.failedBehind(error.status === 0 ? text.noAnswer : sayError(error))),
      ),
    [text],
  );
  return null;
}
