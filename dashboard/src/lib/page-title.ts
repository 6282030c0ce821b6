import { useSyncExternalStore } from "react";

let shownAt: string | undefined;
let announced = "";
const listeners = new Set<() => void>();

/**
 * The title of the page. A screen reader hears it of each page after the first, which the browser
 * names itself: a link leaves the focus where it was.
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
  /** Returns the words for screen readers. */
  useAnnounced: (): string =>
    useSyncExternalStore(
      (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      () => announced,
    ),
};
