export { selectBroadcastRefusals } from "./broadcast-refusals.ts";
export { selectRecentOutcomes, type RecentOutcomes } from "./recent-outcomes.ts";
export { selectVariantOutcomes, type VariantCounts } from "./variant-outcomes.ts";
export { selectRefusals, type RefusalCount } from "./refusals.ts";
export {
  selectClickedDays,
  selectLinks,
  selectMails,
  selectOpens,
  selectRollups,
  type ClickedDays,
  type LinkBucket,
  type LinkClicks,
  type LinksRow,
  type MailRow,
  type Piece,
} from "./queries.ts";
