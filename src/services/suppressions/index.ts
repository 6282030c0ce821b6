export { addSuppressions, deleteSuppression, listSuppressions } from "./manage-suppressions.ts";
export {
  countUnlisted,
  hasUnlisted,
  isSuppressed,
  selectSuppressed,
  selectSuppression,
  touchSuppressions,
  type SuppressionRow,
} from "./queries.ts";
export { countSoftBounces, forgetOldSoftBounces, forgetSoftBounces } from "./soft-bounces.ts";
export {
  hardBounce,
  MAX_SOURCE_CHARACTERS,
  suppressStatements,
  type NewSuppression,
} from "./suppress.ts";
