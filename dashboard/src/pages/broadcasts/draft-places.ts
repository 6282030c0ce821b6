/** Parts of the draft's form that problems link to, by URL hash. */
export const PLACE_IDS = { audience: "draft-audience", content: "draft-content" };

/** Scrolls to a part of the form, and focuses its first field. */
export function goToPlace(id: string): void {
  const place = document.getElementById(id);
  place?.scrollIntoView({ block: "start" });
  place?.querySelector<HTMLElement>("input, select, textarea")?.focus({ preventScroll: true });
}
