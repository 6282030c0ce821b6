import type { Step } from "../../lib/automation-definition.ts";
import type { RUN_OUTCOMES } from "../../lib/run-outcomes.ts";
import type { DueAutomation, DueRun } from "./due-queries.ts";

/** One count of a version at a step. */
export type Count = [version: number, step: string, what: string];

/** A mail of a run, as its row stores it. */
export interface RunMail {
  step: string;
  at: number;
  page: string;
}

/** What a run has passed in a move so far. */
export interface Track {
  counts: Count[];
  mails: RunMail[];
  /** True once a step has changed the subscriber: conditions are not to be evaluated before that. */
  isDirty: boolean;
}

/** Where a move ends: at a rest, or with an outcome. */
export interface Moved {
  run: DueRun;
  track: Track;
  version: number;
  step: string;
  /** Null for the end of the run, and for a subscriber who has to confirm first. */
  dueAt: number | null;
  waitsFor: string | null;
  outcome: (typeof RUN_OUTCOMES)[number] | null;
}

/** A step with an effect besides the row of the run, and who has passed it. */
export interface Effect<Of extends Step = Step> {
  step: Of;
  runs: DueRun[];
  /** The id of the mails of these runs, for a send step. */
  page: string;
}

/** The moves of a page. */
export interface Moves {
  automation: DueAutomation;
  /** The version by which the runs move. */
  version: number;
  now: number;
  moved: Moved[];
  /** Runs that leave no trace: their subscribers do not meet the condition of the trigger. */
  unmet: DueRun[];
  /** What the steps that these runs have passed do, in the order of the definition. */
  effects: Effect[];
}

/** Returns the track that has also counted these. */
export const counting = (track: Track, ...counts: Count[]): Track => ({
  ...track,
  counts: [...track.counts, ...counts],
});
