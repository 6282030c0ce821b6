export { recordClicks, type BurstSpan } from "./record-clicks.ts";
export { recordFirstVisits } from "./record-first-visits.ts";
export { selectUnrecorded } from "./select-unrecorded.ts";
export type { ClickGroup, ClickRow, VisitGroup } from "./visit-groups.ts";
