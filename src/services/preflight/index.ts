export { PACES } from "./estimate.ts";
export type { RecipientCounts } from "./audience-queries.ts";
export { countAudience } from "./facts.ts";
export { GRADES, PLACES, type Problem } from "./problems.ts";
export { requireAccepted, requireAcceptedChange } from "./require-accepted.ts";
export { runPreflight, type Preflight } from "./run-preflight.ts";
export { testDraft } from "./test-draft.ts";
