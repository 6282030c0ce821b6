import { isAnswering } from "./is-answering.ts";

const KEY = "postrider.reloaded-at";
const ONCE_MS = 60_000;

/**
 * Reloads a page that was opened before a deployment, when a file that it needs is no longer there.
 * It reloads once a minute at most, so that a broken deployment does not reload for ever. While the
 * service does not answer, the page stays: a reload would replace it by an error of the browser.
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
