import { onlineManager } from "@tanstack/react-query";

/**
 * Makes queries wait while the browser has no network and does not reach the service. The word of
 * the browser alone is not enough: a service on the same machine answers without a network.
 */
export function watchNetwork(): void {
  onlineManager.setEventListener((setOnline) => {
    const atLoss = () =>
      void fetch("/health", { method: "HEAD", cache: "no-store" }).then(
        () => setOnline(true),
        () => setOnline(navigator.onLine), // the network may be back by now
      );
    const atReturn = () => setOnline(true);
    window.addEventListener("offline", atLoss);
    window.addEventListener("online", atReturn);
    return () => {
      window.removeEventListener("offline", atLoss);
      window.removeEventListener("online", atReturn);
    };
  });
}
