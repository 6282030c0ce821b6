/* JSON values in the rows of broadcasts and batches. */
import type { TrackingSwitches } from "../../lib/tracking-switches.ts";
import type { UtmChoice } from "../../lib/utm.ts";
import type { EarlierAttempt } from "./log.ts";

export const AB_METRICS = ["opens", "clicks", "manual"] as const;

/** One variant of an A/B test, as entered; a null field inherits from the broadcast. */
export interface AbVariant {
  subject: string | null;
  fromName: string | null;
  templateId: string | null;
}

/** An A/B test: part of the audience gets the variants, and the rest gets the winner. */
export interface AbPlan {
  variants: AbVariant[];
  /** Percentage of the audience in the test. */
  share: number;
  waitHours: number;
  by: (typeof AB_METRICS)[number];
}

/**
 * Who gets a broadcast again: those whose mail failed, for certain or perhaps, those who joined
 * since it began, or those who received it and did not open it.
 */
export const RESEND_TO = ["failed", "failed_or_unknown", "joined", "not_opened"] as const;
export type ResendTo = (typeof RESEND_TO)[number];

/** Fields of a draft that only its editor, its start and its time zones need. */
export interface BroadcastPlan {
  /** The draft's own subject; null to use the template's. */
  subject: string | null;
  segmentId: string | null;
  /** The condition as entered. */
  where: string | null;
  excludeSegmentIds: string[];
  maxDelayMinutes: number | null;
  /**
   * The zone in which `send_at` is a local time; null sends to all recipients at the same moment.
   */
  timeZone: string | null;
  /** Limit of the first day; it doubles every day. */
  warmUpFirstDay: number | null;
  ab: AbPlan | null;
  /** The broadcast that this one follows up, and which part of its audience gets it. */
  resend: { of: string; to: ResendTo } | null;
  /** Text that email clients show next to the subject, with variables; absent in older plans. */
  previewText?: string | null;
  /** Sender name; null for the project's. */
  fromName?: string | null;
  /** Address for replies; null for the sender's. */
  replyTo?: string | null;
  /** Its own switches and campaign parameters; absent in older plans. */
  tracking?: TrackingSwitches;
  utm?: UtmChoice;
}

/** A broadcast of the same project that this one waits for. */
export interface WaitingFor {
  broadcastId: string;
  /** Its name, or its subject if it was never a draft. */
  name: string;
}

/** Outcomes of one variant of an A/B test when the winner was chosen. */
export interface VariantOutcome {
  mailed: number;
  opened: number;
  clicked: number;
}

/** A recipient awaiting another attempt, with the reason for the last failure. */
export interface Deferred {
  id: string;
  error: string;
  /** Earlier attempts, if any. An empty error means the same error as the next attempt. */
  tries?: EarlierAttempt[];
  /** Number of attempts at the server, if any. */
  asked?: number;
  /** Earliest time of the next attempt, if the chunk may resume before it. */
  notBefore?: number;
}

/** A failed recipient of a batch, with the reason. */
export interface BatchFailure {
  /** Index in the list of recipients. */
  index: number;
  to: string;
  status: "failed" | "bounced" | "suppressed";
  error: string;
  /** The code of the error, for programs; none for most errors of connections. */
  code?: string;
}
