import type { Ctx } from "../../../context.ts";
import { runBatch } from "../../../db/client.ts";
import type { VariantOutcome } from "../../../db/schema/index.ts";
import { refusal } from "../../../errors.ts";
import type { ProjectRow } from "../../access/index.ts";
import { getBroadcast } from "../control-broadcast.ts";
import { NOT_YET } from "../sample.ts";
import { judgeTrial, type Judgement } from "./judge-trial.ts";
import { readOutcomes } from "./read-outcomes.ts";
import { selectVariantSubjects } from "./variant-queries.ts";
import { stateConflict } from "../state-conflict.ts";

/** A trial as its author sees it. */
export interface Trial {
  winner: number | null;
  /**
   * Null before all who try a variant have been tried, for a choice by hand, after the choice, and
   * once the broadcast is cancelled.
   */
  decidesAt: number | null;
  variants: (VariantOutcome & { subject: string })[];
  judgement: Judgement;
}

/**
 * Returns the result of a trial: the current one, or the one at the choice of the winner. Throws
 * not_found, no_trial, and the refusal of a state before its start.
 */
export async function readTrial(ctx: Ctx, project: ProjectRow, id: string): Promise<Trial> {
  const { deps } = ctx;
  const broadcast = await getBroadcast(ctx, project, id);
  const { plan, kind, state, winner, decidesAt, trial } = broadcast;
  if (!plan?.ab) throw refusal("no_trial", {});
  if (kind === "draft") throw stateConflict(state);
  const isOver = decidesAt === 0 || state === "cancelled";
  const [subjects] = await runBatch(deps.db, [selectVariantSubjects(deps.db, id)]);
  const outcomes = trial ?? (await readOutcomes(deps.db, broadcast));
  return {
    winner,
    decidesAt: isOver || decidesAt === NOT_YET ? null : decidesAt,
    variants: outcomes.map((outcome, n) => ({ ...outcome, subject: subjects[n]?.subject ?? "" })),
    judgement: judgeTrial(outcomes, plan.ab.by),
  };
}
