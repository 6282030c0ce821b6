const OVERLAYS = "[role=dialog], [role=menu]";

/**
 * Restores the focus when the focused element disappears: a closed dialog, a deleted row, a link to
 * the next page. It returns to where it was before the dialog, or else to the content, so that
 * keyboards and screen readers do not restart at the top of the page.
 */
export function keepFocus(content: HTMLElement): () => void {
  let last: Element | undefined;
  let beforeOverlay: HTMLElement | undefined;
  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    if (!target.closest(OVERLAYS)) beforeOverlay = target;
  };
  const observer = new MutationObserver(() => {
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
    last = undefined;
    const open = [...document.querySelectorAll<HTMLElement>(OVERLAYS)].at(-1);
    const before = beforeOverlay?.isConnected ? beforeOverlay : content;
    (open ?? before).focus({ preventScroll: true });
  });
  document.addEventListener("focusin", remember);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", remember);
    observer.disconnect();
  };
}
