/** Steps of a draft; the last is its pre-flight check, which has a page of its own. */
export const STEPS = ["mail", "people", "time", "check"] as const;
export type Step = (typeof STEPS)[number];

/** Steps that the draft's own page shows. */
export const DRAFT_STEPS = ["mail", "people", "time"] as const;
