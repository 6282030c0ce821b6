/* The definition of an automation, as it is stored and as the API takes it. */

/** What lets people in. `where` is a condition that they must also meet. */
export type Trigger = { where?: string } & (
  | { type: "event"; event: string }
  | { type: "joined" | "confirmed" | "manual" }
  | { type: "topic"; topic_id: string }
  | { type: "tag_added" | "tag_removed"; tag: string }
  | { type: "segment"; segment_id: string }
  /** The day of a metadata field, `days` later (earlier if negative); `yearly` on each anniversary. */
  | { type: "date"; field: string; days?: number; yearly?: boolean }
);

export const WEEKDAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;

/** A time of day, `HH:MM`, in the time zone of the recipient or in a named one. */
export interface Until {
  weekday?: (typeof WEEKDAYS)[number];
  time: string;
  /** "recipient", or an IANA name. */
  zone: string;
}

/** A mail of an automation: a template, or its own content. */
export interface SendStep {
  id: string;
  type: "send";
  template_id?: string;
  subject?: string;
  html_body?: string;
  topic_id?: string;
  /** "pending" for people who still have to confirm their address; "active" by default. */
  to?: "active" | "pending";
}

/** Waits for a span such as "3 days", until a time, or for an event within a span. */
export type WaitStep = { id: string; type: "wait" } & (
  | { for: string }
  | { until: Until }
  | { event: { name: string; within: string } }
);

export interface BranchStep {
  id: string;
  type: "branch";
  /** The first way whose condition the person meets; else `else`. */
  ways: { where: string; steps: Step[] }[];
  else: Step[];
}

export interface SetStep {
  id: string;
  type: "set";
  add_tags?: string[];
  remove_tags?: string[];
  metadata?: Record<string, unknown>;
  /** Topic ids, true to subscribe and false to unsubscribe. */
  topics?: Record<string, boolean>;
}

export type Step =
  | SendStep
  | WaitStep
  | BranchStep
  | SetStep
  | { id: string; type: "webhook"; url: string }
  | { id: string; type: "notify"; emails: string[] }
  | { id: string; type: "end" };

export type Goal = { event: string } | { where: string };

export type Reentry = "never" | "always" | { after_days: number };

export interface Definition {
  trigger: Trigger;
  steps: Step[];
  goal?: Goal;
  reentry: Reentry;
}

/** Returns a definition with a changed goal: undefined keeps its goal, and one without fields is none. */
export function withGoal(
  whole: Definition,
  goal: { event?: string | undefined; where?: string | undefined } | undefined,
): Definition {
  if (goal === undefined) return whole;
  const { goal: _before, ...rest } = whole;
  if (goal.event !== undefined) return { ...rest, goal: { event: goal.event } };
  return goal.where === undefined ? rest : { ...rest, goal: { where: goal.where } };
}
