export { getOverview, overviewReads, type Overview, type WindowTotals } from "./overview.ts";
