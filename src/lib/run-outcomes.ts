/**
 * How a run of an automation ended: after its last step, by its goal, because the person left, was
 * suppressed or deleted, or because the automation was stopped.
 */
export const RUN_OUTCOMES = [
  "completed",
  "goal",
  "unsubscribed",
  "suppressed",
  "deleted",
  "stopped",
] as const;
