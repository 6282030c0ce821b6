import type { SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { finishIfDone } from "./finish.ts";
import { launchDraft } from "./drafts/launch-draft.ts";
import { checkCanary } from "./check-canary.ts";
import { pauseByItself } from "./pause-by-itself.ts";
import {
  insertChunks,
  LIST_SIZE,
  membersWithCanary,
  namesRecipients,
  updatePlanned,
  type PlanStep,
} from "./plan-queries.ts";
import { audienceFault } from "./audience-fault.ts";
import { selectBroadcast, type BroadcastRow } from "./queries.ts";
import { awaitCanary } from "./canary.ts";
import { membersOfAbTest } from "./ab-test/plan-ab-test.ts";
import { isTesting } from "./ab-test/slices.ts";
import { beginQueued } from "./turns/begin-queued.ts";
import { goesByZones, type DueTimes } from "./time-zones/due-times.ts";
import { membersByZone, readDueTimes } from "./time-zones/plan-zones.ts";

/**
 * The number of subscribers in one step of planning, and so in a chunk that is a range of ids: one
 * statement over as many index entries.
 */
const STEP_SIZE = 50_000;

/**
 * Launches a draft that is due, begins a queued broadcast, checks a canary, plans the next stretch
 * of a broadcast, or ends one that has no chunks left. Returns false if it made nothing due. However
 * often a step runs, each chunk is planned once.
 */
export async function planBroadcast(deps: Deps, broadcastId: string): Promise<boolean> {
  const { db } = deps;
  const [found] = await selectBroadcast(db, broadcastId);
  const broadcast = found && (await begun(deps, found));
  if (!broadcast || broadcast.state !== "sending") return false;
  const fault = audienceFault(broadcast);
  if (fault !== undefined) {
    await pauseByItself(deps, broadcast, fault);
    return true;
  }
  const { plannedId, cutoffId, canaryDueAt } = broadcast;
  if (plannedId === "" || plannedId < cutoffId) return planStep(deps, broadcast);
  if (canaryDueAt > 0 && (await checkCanary(deps, broadcast))) return true;
  await runBatch(db, finishIfDone(deps, broadcastId));
  return false;
}

async function planStep(deps: Deps, broadcast: BroadcastRow): Promise<boolean> {
  const { db } = deps;
  const { id, cutoffId, canaryDueAt } = broadcast;
  const now = deps.now();
  const step = { size: STEP_SIZE, listSize: LIST_SIZE, now };
  const zoned = goesByZones(broadcast) ? await readDueTimes(db, broadcast, step) : undefined;
  const named = namesRecipients(broadcast) ? { own: now, others: {} } : undefined;
  const [inserted, [progress]] = await runBatch(db, [
    insertChunks(db, broadcast, membersOf(broadcast, step, zoned ?? named), step),
    updatePlanned(db, broadcast, STEP_SIZE, now),
    ...(canaryDueAt > 0 ? [awaitCanary(deps, id)] : []),
  ]);
  if (!progress) return false;
  const isLast = progress.plannedId >= cutoffId;
  if (isLast && inserted.length === 0) await runBatch(db, finishIfDone(deps, id));
  return true;
}

/** Returns a broadcast that has begun or begins now; undefined if it may not begin yet. */
async function begun(deps: Deps, row: BroadcastRow): Promise<BroadcastRow | undefined> {
  if (row.state === "scheduled") return launchDraft(deps, row);
  return row.state === "queued" ? beginQueued(deps, row) : row;
}

/** Returns the members of the next stretch of a broadcast, with their parts, by its kind. */
function membersOf(broadcast: BroadcastRow, step: PlanStep, times: DueTimes | undefined): SQL {
  if (isTesting(broadcast)) return membersOfAbTest(broadcast, step);
  if (times) return membersByZone(broadcast, times, step);
  return membersWithCanary(broadcast, step, Math.random());
}
