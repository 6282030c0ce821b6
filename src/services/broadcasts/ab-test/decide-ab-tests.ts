import type { Ctx } from "../../../context.ts";
import { runBatch } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { invalidField, refusal } from "../../../errors.ts";
import { logLine } from "../../../lib/log-line.ts";
import { faultOf } from "../../../messages/faults.ts";
import type { ProjectRow } from "../../access/index.ts";
import { auditStatement } from "../../audit/index.ts";
import { getBroadcast, type BroadcastProgress } from "../control-broadcast.ts";
import { wakeSenders } from "../../projects/index.ts";
import { awaitDecision } from "./await-decision.ts";
import { judgeAbTest, variantLetter } from "./judge-ab-test.ts";
import { readOutcomes } from "./read-outcomes.ts";
import { logOwnWait } from "../turns/note-waits.ts";
import { isTesting } from "./slices.ts";
import { isOpen, selectUndecided, storeWinner } from "./variant-queries.ts";
import { stateConflict } from "../state-conflict.ts";

/** The maximum number of winners chosen per sweep. */
const PER_RUN = 20;

/**
 * Starts the waits of A/B tests whose variants are sent, and chooses the winners of those that are
 * due. Runs every minute.
 */
export async function decideAbTests(deps: Deps): Promise<void> {
  const now = deps.now();
  const [, undecided] = await runBatch(deps.db, [
    awaitDecision(deps.db, now),
    selectUndecided(deps.db, now, PER_RUN),
  ]);
  for (const broadcast of undecided) {
    const { ab } = broadcast.plan ?? {};
    if (!ab) continue;
    const variantOutcomes = await readOutcomes(deps.db, broadcast);
    const { leader: winner } = judgeAbTest(variantOutcomes, ab.by);
    const choice = { winner, variantOutcomes, planDueAt: deps.now(), now };
    const [[chosen]] = await runBatch(deps.db, [storeWinner(deps.db, broadcast, choice)]);
    if (!chosen) continue;
    logLine("info", "broadcast_winner_chosen", { broadcastId: broadcast.id, winner });
    logOwnWait(chosen);
    await wakeSenders(deps, [broadcast.projectId]);
  }
}

/**
 * Chooses the winner of an A/B test manually. Throws not_found, and 400 for a variant that the A/B
 * test does not have. Throws 409 without an A/B test, before all test recipients are planned, and
 * after another choice.
 */
export async function chooseWinner(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  winner: number,
): Promise<BroadcastProgress> {
  const { deps } = ctx;
  const { db } = deps;
  const broadcast = await getBroadcast(ctx, project, id);
  const { plan, kind } = broadcast;
  if (!plan?.ab) throw refusal("no_ab_test", {});
  if (kind === "draft") throw stateConflict(broadcast.state);
  if (winner >= plan.ab.variants.length) throw invalidField("variant", faultOf("unknown_variant"));
  if (!isTesting(broadcast)) throw refusal("winner_chosen", {});
  const variantOutcomes = await readOutcomes(deps.db, broadcast);
  const choice = { winner, variantOutcomes, planDueAt: deps.now(), now: deps.now() };
  const fact = {
    scopeId: project.id,
    action: "broadcast.winner",
    targetType: "broadcast",
    targetId: id,
    metadata: { variant: variantLetter(winner) },
  } as const;
  const [, [chosen]] = await runBatch(db, [
    auditStatement(ctx, fact, isOpen(project.id, id, winner)),
    storeWinner(db, broadcast, choice),
  ]);
  if (!chosen) throw refusal("ab_test_in_planning", {});
  logOwnWait(chosen);
  await wakeSenders(deps, [project.id]);
  return getBroadcast(ctx, project, id);
}
