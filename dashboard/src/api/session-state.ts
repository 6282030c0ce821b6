import { useSyncExternalStore } from "react";

let hasEnded = false;
let isWatched = false;
const listeners = new Set<() => void>();

function set(value: boolean) {
  hasEnded = value;
  for (const listener of listeners) listener();
}

/** Remembers that the session ended, so that the page asks for the password and loses nothing. */
export const sessionEnded = {
  /** Counts only while somebody is signed in: the pages before that expect a 401. */
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
