export {
  findLogStart,
  isLogMoving,
  isLogShrinking,
  rebuildRollups,
  type RebuildDatabase,
} from "./rebuild-rollups.ts";
export type { RebuildScope } from "./rebuild-queries.ts";
