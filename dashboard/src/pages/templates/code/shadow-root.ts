/**
 * Creates a shadow root for CodeMirror, in which it adds its styles as constructed style sheets,
 * which the page's policy allows. Keys typed there do not trigger page shortcuts.
 */
export function placeInShadow(host: HTMLElement): { root: ShadowRoot; parent: HTMLElement } {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const parent = document.createElement("div");
  parent.style.height = "100%";
  root.append(parent);
  return { root, parent };
}

/** Hides a key press from the page, except with Ctrl or Command. */
export function keepKey(event: KeyboardEvent): void {
  if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
}
