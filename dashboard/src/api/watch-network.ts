import { onlineManager } from "@tanstack/react-query";
import { isAnswering } from "../lib/is-answering.ts";

/**
 * Makes queries wait while the browser has no network and does not reach the service. The word of
 * the browser alone is not enough: a service on the same machine answers without a network.
 */
export function watchNetwork(): void {
  onlineManager.setEventListener((setOnline) => {
    // The network may be back when a call has failed.
    const look = async () =>
      setOnline(navigator.onLine || (await isAnswering()) || navigator.onLine);
    for (const event of ["online", "offline"]) window.addEventListener(event, () => void look());
    return () => undefined; // the page listens until it ends
  });
}
