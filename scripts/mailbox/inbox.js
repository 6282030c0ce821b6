// Runs in the browser: shows new mail without a reload, and empties the mailbox on request.
const POLL_INTERVAL_MS = 2_000;

async function refreshWhenChanged() {
  if (document.hidden) return;
  const response = await fetch("/api/stats");
  const { received, kept } = await response.json();
  const { dataset } = document.querySelector("#inbox");
  if (dataset.received === String(received) && dataset.kept === String(kept)) return;
  await showList();
}

async function showList() {
  const response = await fetch(location.href);
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  const focused = document.activeElement?.closest("#inbox a")?.getAttribute("href");
  document.querySelector("#inbox").replaceWith(fresh.querySelector("#inbox"));
  document.querySelector("#clear").disabled = fresh.querySelector("#clear").disabled;
  if (focused) document.querySelector(`#inbox a[href="${CSS.escape(focused)}"]`)?.focus();
}

async function deleteAll() {
  await fetch("/api/messages", { method: "DELETE" });
  await showList();
}

async function poll() {
  try {
    await refreshWhenChanged();
    document.title = document.title.replace(/^\(stopped\) /, "");
  } catch {
    // The mailbox is down; the next poll detects its return.
    if (!document.title.startsWith("(stopped)")) document.title = `(stopped) ${document.title}`;
  }
}

function startPolling() {
  setTimeout(() => void poll().then(startPolling), POLL_INTERVAL_MS);
}

document.querySelector("#clear").addEventListener("click", () => {
  if (confirm("Delete all emails in this mailbox?")) void deleteAll();
});

startPolling();
