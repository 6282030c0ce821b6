import { isAnswering } from "./is-answering.ts";

const KEY = "postrider.reloaded-at";
const ONCE_MS = 60_000;

/**
 * Reloads a page that was opened before a deployment when a file it needs no longer exists. Reloads
 * at most once a minute, so that a broken deployment does not cause a reload loop. If the service
 * is unreachable, the page stays: a reload would replace it with a browser error.
 */
export function reloadOnMissingFiles(): void {
  window.addEventListener("vite:preloadError", () => {
    if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < ONCE_MS) return;
    void reloadIfAnswered();
  });
}

async function reloadIfAnswered(): Promise<void> {
  if (!(await isAnswering())) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}
