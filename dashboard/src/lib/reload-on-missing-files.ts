const KEY = "postrider.reloaded-at";
const ONCE_MS = 60_000;

/**
 * Reloads a page that was opened before a deployment, when a file that it needs is no longer there.
 * It reloads once a minute at most, so that a broken deployment does not reload for ever.
 */
export function reloadOnMissingFiles(): void {
  window.addEventListener("vite:preloadError", (event) => {
    if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < ONCE_MS) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, String(Date.now()));
    location.reload();
  });
}
