import type { Ctx } from "../../../context.ts";
import { runBatch, runBatchAfter, type Statement } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { invalidField, refusal } from "../../../errors.ts";
import { logLine } from "../../../lib/log-line.ts";
import { faultOf } from "../../../messages/faults.ts";
import type { ProjectRow } from "../../access/index.ts";
import { auditStatement } from "../../audit/index.ts";
import { getBroadcast, type BroadcastProgress } from "../control-broadcast.ts";
import { wakeSenders } from "../../projects/index.ts";
import { judgeAbTest, variantLetter } from "./judge-ab-test.ts";
import { readOutcomes } from "./read-outcomes.ts";
import { logOwnWait } from "../turns/note-waits.ts";
import { isTesting } from "./slices.ts";
import { awaitDecision, isOpen, selectUndecided, storeWinner } from "./variant-queries.ts";
import type { BroadcastRow } from "../queries.ts";
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
  for (const broadcast of undecided) if (broadcast.plan?.ab) await choose(deps, broadcast);
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
  const broadcast = await getBroadcast(ctx, project, id);
  const { plan, kind } = broadcast;
  if (!plan?.ab) throw refusal("no_ab_test", {});
  if (kind === "draft") throw stateConflict(broadcast.state);
  if (winner >= plan.ab.variants.length) throw invalidField("variant", faultOf("unknown_variant"));
  if (!isTesting(broadcast)) throw refusal("winner_chosen", {});
  const fact = {
    scopeId: project.id,
    action: "broadcast.winner",
    targetId: id,
    metadata: { variant: variantLetter(winner) },
  } as const;
  const audit = auditStatement(ctx, fact, isOpen(project.id, id, winner));
  if (!(await choose(ctx.deps, broadcast, { winner, audit })))
    throw refusal("ab_test_in_planning", {});
  return getBroadcast(ctx, project, id);
}

/**
 * Chooses the leader of an A/B test, or the winner that somebody wants. Returns false if its
 * recipients are not planned yet, or another choice came first.
 */
async function choose(
  deps: Deps,
  broadcast: BroadcastRow,
  wanted?: { winner: number; audit: Statement },
): Promise<boolean> {
  const { id, projectId, plan } = broadcast;
  const variantOutcomes = await readOutcomes(deps.db, broadcast);
  const winner = wanted?.winner ?? judgeAbTest(variantOutcomes, plan?.ab?.by ?? "manual").leader;
  const choice = { winner, variantOutcomes, now: deps.now() };
  const [[chosen]] = await runBatchAfter(deps.db, wanted ? [wanted.audit] : [], [
    storeWinner(deps.db, broadcast, choice),
  ]);
  if (!chosen) return false;
  logLine("info", "broadcast_winner_chosen", { broadcastId: id, winner });
  logOwnWait(chosen);
  await wakeSenders(deps, [projectId]);
  return true;
}
