export { BURST_MS } from "./correct-classes.ts";
export { recordClicks } from "./record-clicks.ts";
export { recordFirstVisits } from "./record-first-visits.ts";
export { selectVisitedMails } from "./select-visited-mails.ts";
export type { ClickGroup, ClickRow, VisitGroup } from "./visit-groups.ts";
