/* The JSON in the rows of broadcasts and of batches. */
import type { EarlierAttempt, LOG_STATUSES } from "./log.ts";

export const AB_METRICS = ["opens", "clicks", "manual"] as const;

/** One variant of an A/B test as its author wrote it; null stands for the broadcast's own. */
export interface AbVariant {
  subject: string | null;
  fromName: string | null;
  templateId: string | null;
}

/** An A/B test: a part of the audience tries the variants, and the best goes to the rest. */
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

/** The outcomes of one variant of an A/B test, as they were at the choice of the winner. */
export interface VariantOutcome {
  mailed: number;
  opened: number;
  clicked: number;
}

/** A recipient who waits for another attempt, with the reason of the last failure. */
export interface Deferred {
  id: string;
  error: string;
  /** The attempts so far, if there were any. An empty error is that of the attempt after it. */
  tries?: EarlierAttempt[];
  /** How often the server was asked to take the mail, if at all. */
  asked?: number;
  /** The time before which it is not asked again, if the chunk may come back earlier. */
  notBefore?: number;
}

/** A mail of a batch whose outcome waits to be logged with others; its id alone means accepted. */
export type NotedMail =
  | string
  | {
      id: string;
      status: (typeof LOG_STATUSES)[number];
      /** Set if it is that of the fallback server. */
      viaFallback?: true;
      error: string | null;
      /** The reason of a refusal (API reference §11.7). */
      reason?: string;
    };

/** A recipient of a batch whose mail failed, with the reason. */
export interface BatchFailure {
  /** Its place in the list of recipients. */
  index: number;
  to: string;
  status: "failed" | "bounced" | "suppressed";
  error: string;
}

/** A reason why a broadcast paused itself or did not go as planned: a message as JSON holds it. */
export interface StoredReason {
  code: string;
  params?: Readonly<Record<string, unknown>>;
  message: string;
}
