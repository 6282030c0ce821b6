export {
  definitionsInUse,
  deletedMeanwhile,
  existForDraft,
  inUse,
  isUnused,
  selectUses,
  usesOfSegment,
  usesOfTopic,
} from "./draft-references.ts";
