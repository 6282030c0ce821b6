import { onlineManager } from "@tanstack/react-query";
import { isAnswering } from "../lib/is-answering.ts";

/**
 * Pauses queries while the browser is offline and cannot reach the service. The browser's status
 * alone is not enough: a service on the same machine works without a network.
 */
export function watchNetwork(): void {
  onlineManager.setEventListener((setOnline) => {
    // The network may be back after a failed call.
    const look = async () =>
      setOnline(navigator.onLine || (await isAnswering()) || navigator.onLine);
    for (const event of ["online", "offline"]) window.addEventListener(event, () => void look());
    return () => undefined; // never unsubscribes: the page listens until it closes
  });
}
