import { useSyncExternalStore } from "react";

let shownAt: string | undefined;
let announced = "";
const listeners = new Set<() => void>();

/**
 * The page title. Screen readers announce it after each client-side navigation, because a link
 * leaves the focus in place; the browser announces the first page itself.
 */
export const pageTitle = {
  show: (title: string): void => {
    document.title = `${title} · Postrider`;
    const { pathname } = location;
    if (shownAt !== undefined && shownAt !== pathname) {
      announced = title;
      for (const listener of listeners) listener();
    }
    shownAt = pathname;
  },
  /** Returns the text to announce. */
  useAnnounced: (): string =>
    useSyncExternalStore(
      (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      () => announced,
    ),
};
