export { getOverview, overviewReads, type Overview, type WindowTotals } from "./overview.ts";
export { findLogStart, rebuildRollups, type RebuildDatabase } from "./rebuild-rollups.ts";
export type { RebuildScope } from "./rebuild-queries.ts";
