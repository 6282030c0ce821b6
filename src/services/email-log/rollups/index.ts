export { addBuckets, bucketsOf, type Addition } from "./add-to-rollups.ts";
export { findLogStart, rebuildRollups, type RebuildDatabase } from "./rebuild-rollups.ts";
export type { RebuildScope } from "./rebuild-queries.ts";
