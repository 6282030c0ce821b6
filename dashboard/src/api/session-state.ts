import { useSyncExternalStore } from "react";

let hasEnded = false;
let isWatched = false;
const listeners = new Set<() => void>();

function set(value: boolean) {
  hasEnded = value;
  for (const listener of listeners) listener();
}

/**
 * Tracks whether the session has ended, so that the page can ask for the password and lose nothing.
 */
export const sessionEnded = {
  /** Counts only while a user is signed in: pages before the login expect a 401. */
  report: () => {
    if (isWatched) set(true);
  },
  clear: () => set(false),
  watch: (value: boolean) => {
    isWatched = value;
  },
  use: () =>
    useSyncExternalStore(
      (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      () => hasEnded,
    ),
};
