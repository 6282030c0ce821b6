export { getOverview, overviewReads, type Overview, type WindowTotals } from "./overview.ts";
export { readSeries, seriesReads, type Series } from "./series.ts";
export { refusalReads, reportRefusals } from "./refusals.ts";
export { openTimesReads, readOpenTimes, type OpenTimes } from "./open-times.ts";
export { growthReads, readGrowth, type Growth } from "./growth.ts";
