export { countSegments, MOST_COUNTED_SEGMENTS } from "./count-segments.ts";
export { compileWhere, parseCondition, parseFixed, parseOfAutomation } from "./compile.ts";
export { audienceOf, orderedAudiencesOf, stretchOf } from "./audience.ts";
export { joined, MOST_CHARACTERS, sizeOf, type Condition } from "./condition.ts";
export { findMatching } from "./find-matching.ts";
export { firstMatches } from "./first-match.ts";
export { formatCondition } from "./format-condition.ts";
export { forgetMailings, noteMailed, selectLastMailed } from "./mailings.ts";
export {
  changeSegment,
  createSegment,
  deleteSegment,
  getSegment,
  listSegments,
} from "./manage-segments.ts";
export { previewSegment } from "./preview-segment.ts";
export { selectSegments, type SegmentRow } from "./segment-queries.ts";
export { textForms } from "./text-forms.ts";
export { comparing, noOthers, placesOf, referencing, selectConditions } from "./topic-uses.ts";
export {
  requireKnownTopics,
  selectUnknownTopics,
  topicsAreKnown,
  topicsOf,
} from "./unknown-topics.ts";
