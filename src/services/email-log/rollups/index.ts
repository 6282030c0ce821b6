export {
  findLogStart,
  isLogMoving,
  rebuildRollups,
  type RebuildDatabase,
} from "./rebuild-rollups.ts";
export type { RebuildScope } from "./rebuild-queries.ts";
