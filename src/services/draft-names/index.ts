export {
  deletedMeanwhile,
  existForDraft,
  inUse,
  namesSegment,
  namesTopic,
  noDraftHas,
  selectDraftsWith,
} from "./draft-names.ts";
