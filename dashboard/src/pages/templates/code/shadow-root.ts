/**
 * Returns a place for CodeMirror within an element. It stands in a shadow root, where the editor
 * adds its styles as sheets that the page's policy allows. Keys typed there are no shortcuts of the
 * page.
 */
export function placeInShadow(host: HTMLElement): { root: ShadowRoot; parent: HTMLElement } {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const parent = document.createElement("div");
  parent.style.height = "100%";
  root.append(parent);
  return { root, parent };
}

/** Keeps a key from the page, except with Ctrl or the command key. */
export function keepKey(event: KeyboardEvent): void {
  if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
}
