export { getOverview, overviewReads, type Overview, type WindowTotals } from "./overview.ts";
export { refusalReads, reportRefusals, type RefusalReport } from "./refusals.ts";
