import type { Ctx } from "../../../context.ts";
import { runBatch } from "../../../db/client.ts";
import type { VariantOutcome } from "../../../db/schema/index.ts";
import { refusal } from "../../../errors.ts";
import type { ProjectRow } from "../../access/index.ts";
import { getBroadcast } from "../control-broadcast.ts";
import { NOT_YET } from "../canary.ts";
import { judgeAbTest, type Judgement } from "./judge-ab-test.ts";
import { readOutcomes } from "./read-outcomes.ts";
import { selectVariantSubjects } from "./variant-queries.ts";
import { stateConflict } from "../state-conflict.ts";

/** An A/B test as its author sees it. */
export interface AbTest {
  winner: number | null;
  /**
   * Null before all test recipients have been tried, for a manual choice, after the choice, and
   * once the broadcast is cancelled.
   */
  decidesAt: number | null;
  variants: (VariantOutcome & { subject: string })[];
  judgement: Judgement;
}

/**
 * Returns the result of an A/B test: the current one, or the one at the time the winner was chosen.
 * Throws not_found, no_ab_test, and a state conflict before its start.
 */
export async function readAbTest(ctx: Ctx, project: ProjectRow, id: string): Promise<AbTest> {
  const { deps } = ctx;
  const broadcast = await getBroadcast(ctx, project, id);
  const { plan, kind, state, winner, decidesAt, variantOutcomes } = broadcast;
  if (!plan?.ab) throw refusal("no_ab_test", {});
  if (kind === "draft") throw stateConflict(state);
  const isOver = decidesAt === 0 || state === "cancelled";
  const [subjects] = await runBatch(deps.db, [selectVariantSubjects(deps.db, id)]);
  const outcomes = variantOutcomes ?? (await readOutcomes(deps.db, broadcast));
  return {
    winner,
    decidesAt: isOver || decidesAt === NOT_YET ? null : decidesAt,
    variants: outcomes.map((outcome, n) => ({ ...outcome, subject: subjects[n]?.subject ?? "" })),
    judgement: judgeAbTest(outcomes, plan.ab.by),
  };
}
