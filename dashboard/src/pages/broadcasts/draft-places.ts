/** The parts of the draft's form to which problems lead; an address names one in its hash. */
export const PLACE_IDS = { audience: "draft-audience", content: "draft-content" };

/** Scrolls to a part of the form, and puts the cursor into its first field. */
export function goToPlace(id: string): void {
  const place = document.getElementById(id);
  place?.scrollIntoView({ block: "start" });
  place?.querySelector<HTMLElement>("input, select, textarea")?.focus({ preventScroll: true });
}
