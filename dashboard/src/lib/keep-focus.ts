const OVERLAYS = "[role=dialog], [role=menu]";

/**
 * Keeps the focus when the element that has it goes away: a dialog that closes, a row that was
 * deleted, a link to the next page. It goes back to where it was before the dialog, or else to the
 * content, so that neither the keyboard nor a screen reader begins at the top of the page.
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
