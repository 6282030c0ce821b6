import type { Deps } from "../../deps.ts";
import { runBatchAfter } from "../../db/client.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { uuidFloor } from "../../lib/ids.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { deleteSoftBounces } from "../suppressions/index.ts";
import { openWork, type ErasurePlace, type ErasureWork, type Stage } from "./erasure-place.ts";
import {
  moveErasure,
  postponeErasure,
  selectDueErasures,
  type ErasureRow,
} from "./erasure-queries.ts";
import { stepBatches, stepDeliveries, stepDirect, stepLog, stepTexts } from "./erasure-steps.ts";

/** The maximum number of steps per run for all erasures together, and of erasures per run. */
const STEPS_PER_RUN = 60;
const ERASURES_PER_RUN = 20;

/** The delay after a failed step. */
const PAUSE_MS = 5 * 60_000;

/**
 * The time after which mails in flight at the start have been written, and the margin before the
 * start.
 */
const SETTLED_AFTER_MS = HOUR_MS;

/** Continues erasures. Runs every minute. A failed erasure is delayed, and the others continue. */
export async function continueErasures(deps: Deps): Promise<void> {
  const due = await selectDueErasures(deps.db, deps.now(), ERASURES_PER_RUN);
  const steps = Math.ceil(STEPS_PER_RUN / Math.max(1, due.length));
  for (const row of due) await tryErasure(deps, row, steps);
}

/** Continues an erasure. On failure, logs the reason; the sweep retries later. */
export async function tryErasure(deps: Deps, row: ErasureRow, steps: number): Promise<void> {
  try {
    await continueErasure(deps, row, steps);
  } catch (error) {
    const { projectId, hash } = row;
    logLine("error", "erasure_failed", { projectId, hash, error: errorText(error) });
    await postponeErasure(deps.db, row, deps.now() + PAUSE_MS);
  }
}

/** Runs up to `steps` steps of an erasure, each one atomic batch, as long as it is due. */
async function continueErasure(deps: Deps, erasure: ErasureRow, steps: number): Promise<void> {
  let row = erasure;
  for (let step = 0; step < steps; step += 1) {
    if (row.workSealed === null || row.position === null) return;
    if (row.dueAt === null || row.dueAt > deps.now()) return;
    const work = await openWork(deps, row, row.workSealed);
    const place = JSON.parse(row.position) as ErasurePlace; // written here and by `eraseAddress`
    const { writes, next } = await stepOf(deps, row, work, place);
    const following = next ? { ...place, ...next } : nextRound(place);
    const target = following && {
      position: JSON.stringify(following),
      dueAt: dueTime(deps, following),
    };
    // Soft bounces of mails that were in flight.
    const ending = following ? [] : [deleteSoftBounces(deps.db, row.projectId, work.email)];
    const [[moved]] = await runBatchAfter(
      deps.db,
      [...writes, ...ending],
      [moveErasure(deps.db, row, target)],
    );
    if (!moved) return; // another worker did the step
    row = moved;
  }
}

function stepOf(deps: Deps, row: ErasureRow, work: ErasureWork, place: ErasurePlace) {
  const { projectId } = row;
  switch (place.stage) {
    case "direct":
      return stepDirect(deps, projectId, work);
    case "texts":
      return stepTexts(deps, row, work, place.places);
    case "log":
      return stepLog(deps, projectId, work, place.at, sinceOf(place));
    case "deliveries":
      return stepDeliveries(deps, projectId, work, place.at, firstDelivery(place));
    case "batches":
      return stepBatches(deps, projectId, work, place.afterId);
  }
}

/** Returns the time since which a round examines entries. */
const sinceOf = ({ round, startedAt }: ErasurePlace) =>
  round === 1 ? 0 : startedAt - SETTLED_AFTER_MS;

/** Returns the id after which a round examines deliveries. */
const firstDelivery = (place: ErasurePlace) => (place.round === 1 ? "" : uuidFloor(sinceOf(place)));

function nextRound({ round, startedAt }: ErasurePlace): ErasurePlace | undefined {
  if (round === 2) return undefined;
  const first: Stage = {
    stage: "log",
    at: { status: 0, sentAt: startedAt - SETTLED_AFTER_MS, id: "" },
  };
  return { ...first, round: 2, startedAt };
}

/** Returns when the next step is due: the second round waits for mails in flight. */
function dueTime({ now }: Deps, place: ErasurePlace | undefined): number {
  if (place?.round === 2) return Math.max(now(), place.startedAt + SETTLED_AFTER_MS);
  return now();
}
