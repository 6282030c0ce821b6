export { addSuppressions, deleteSuppression, listSuppressions } from "./manage-suppressions.ts";
export {
  countUnlisted,
  hasUnlisted,
  isSuppressed,
  selectSuppression,
  SUPPRESSED_BECAUSE,
  touchSuppressions,
  type SuppressionReason,
  type SuppressionRow,
} from "./queries.ts";
export {
  countRefused,
  countReported,
  deleteSoftBounces,
  forgetOldSoftBounces,
  noteAccepted,
  type ReportedRefusal,
} from "./soft-bounces.ts";
export {
  hardBounce,
  MAX_SOURCE_CHARACTERS,
  suppressStatements,
  type NewSuppression,
} from "./suppress.ts";
export { hashesOf, hashList, isErased, isErasedAddress, withHashes } from "./erased.ts";
export { selectSuppressed, type SuppressedAddress } from "./select-suppressed.ts";
export { suppressLeaver } from "./suppress-leaver.ts";
export { forgetAddress } from "./forget-address.ts";
export { selectLost } from "./lost-queries.ts";
