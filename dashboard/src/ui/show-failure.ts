import { PostriderError } from "../api/client.ts";
import { sessionEnded } from "../api/session-state.ts";
import { shortWordsOf } from "./error-words.tsx";
import { showToast } from "./toast.tsx";

/**
 * Says that something failed of which no page shows the outcome; with `undo`, a button tries it
 * again. Asks for the password if the session ended.
 */
export function showFailure(error: Error, text: { errorNetwork: string }, undo?: () => void): void {
  if (error instanceof PostriderError && error.status === 401) sessionEnded.report();
  showToast(shortWordsOf(error, text), undo);
}
