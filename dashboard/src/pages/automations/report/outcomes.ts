/** How a run can end. */
export const OUTCOMES = [
  "completed",
  "goal",
  "unsubscribed",
  "suppressed",
  "deleted",
  "stopped",
] as const;
