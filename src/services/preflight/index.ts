export { PACES } from "./estimate.ts";
export { countAudience } from "./facts.ts";
export { GRADES, PLACES } from "./problems.ts";
export { requireAccepted, requireAcceptedChange } from "./require-accepted.ts";
export { runPreflight } from "./run-preflight.ts";
export { testDraft } from "./test-draft.ts";
