export { selectRecentOutcomes, type RecentOutcomes } from "./recent-outcomes.ts";
export { selectFirstOpens, selectOpenHours, type FirstOpens, type OpenHour } from "./open-hours.ts";
export { selectVariantOutcomes } from "./variant-outcomes.ts";
export { selectRefusals, type RefusalCount } from "./refusals.ts";
export {
  countsOf,
  selectClickedDays,
  selectCounts,
  selectLinks,
  selectTemplates,
  type Bucket,
  type ClickedDays,
  type CountRow,
  type LinkClicks,
  type LinksRow,
  type TemplateSends,
} from "./queries.ts";
export { hoursAndEdges, piecesOf, touchedHours, type Span } from "./window.ts";
