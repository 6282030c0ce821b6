import { PostriderError } from "../api/client.ts";
import { sessionEnded } from "../api/session-state.ts";
import { shortWordsOf } from "./error-words.tsx";
import { showToast } from "./toast.tsx";

/**
 * Shows a toast for a failure that no page reports; with `undo`, a button retries it. Asks for the
 * password if the session has ended.
 */
export function showFailure(error: Error, text: { errorNetwork: string }, undo?: () => void): void {
  if (error instanceof PostriderError && error.status === 401) sessionEnded.report();
  showToast(shortWordsOf(error, text), undo);
}
