/* The JSON of broadcasts that were drafts. */

export const AB_METRICS = ["opens", "clicks", "manual"] as const;

/** One variant of an A/B trial as its author wrote it; null stands for the broadcast's own. */
export interface AbVariant {
  subject: string | null;
  fromName: string | null;
  templateId: string | null;
}

/** An A/B trial: a part of the audience tries the variants, and the best goes to the rest. */
export interface AbPlan {
  variants: AbVariant[];
  /** The part of the audience that tries them, in percent. */
  share: number;
  waitHours: number;
  by: (typeof AB_METRICS)[number];
}

/** The parts of a draft that only its editor, its start and its time zones need. */
export interface BroadcastPlan {
  /** The subject of its own; null for that of the template. */
  subject: string | null;
  segmentId: string | null;
  /** The condition as a person typed it. */
  where: string | null;
  excludeSegmentIds: string[];
  maxDelayMinutes: number | null;
  /** The zone whose wall clock `send_at` refers to; null sends to everybody at one moment. */
  timeZone: string | null;
  /** The mails of the first day, which each further day doubles. */
  warmUpFirstDay: number | null;
  ab: AbPlan | null;
  /** The broadcast that this one follows, and which of its audience gets it. */
  resend: { of: string; to: "joined" | "not_opened" } | null;
  /** The times of the zones that a broadcast with a longest delay began; none in a draft. */
  begunZones?: number[];
}

/** A broadcast whose end another broadcast of its project waits for. */
export interface WaitingFor {
  broadcastId: string;
  /** Its name, or its subject if it was no draft. */
  name: string;
}

/** The outcomes of one variant of a trial, as they were at the choice of the winner. */
export interface VariantOutcome {
  mailed: number;
  opened: number;
  clicked: number;
}
