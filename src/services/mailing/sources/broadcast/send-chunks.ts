import type { Deps } from "../../../../deps.ts";
import type { AutoPauseLimits } from "../../../../db/schema/index.ts";
import { runBatch } from "../../../../db/client.ts";
import { newLease, renewedLeaseMs } from "../../../../db/lease.ts";
import { AppError, reasonOf, notFound } from "../../../../errors.ts";
import type { Wait } from "../../../../lib/permits/permit-messages.ts";
import {
  audience,
  awaitCanary,
  beginZone,
  claimChunk,
  guardChunk,
  isMissedZone,
  isCanary,
  markTurn,
  pauseByItself,
  selectBroadcast,
  selectHold,
  wakeWaitingChunk,
  type BroadcastRow,
  type ChunkClaim,
  type ChunkRow,
} from "../../../broadcasts/index.ts";
import {
  bounceSettingsOf,
  openSender,
  selectProject,
  type Sender,
} from "../../../projects/index.ts";
import { requireRoom, selectStorage } from "../../../storage/index.ts";
import { deliverAll } from "../../deliver.ts";
import { CHUNK_STATEMENTS, END_STATEMENTS, TURN_LIMITS, type TurnLimits } from "./attempts.ts";
import { FIRST_OUTCOMES, openAutoPause } from "./auto-pause.ts";
import { chunkLedger } from "./chunk-ledger.ts";
import { prepareBroadcast, type BroadcastContent } from "./chunk-mails.ts";
import { contentVariantOf, type ContentVariant } from "./content-variant.ts";
import {
  endChunk,
  endMissedZone,
  leaveForOthers,
  leaveWithoutConnection,
  type ClaimedChunk,
} from "./end-chunk.ts";
import { sendBatchChunk } from "../batch/send-batch-chunk.ts";
import { settleAbandonedChunk } from "./settle-abandoned-chunk.ts";
import { openTurn, type Turn } from "./turn.ts";

/** A chunk to send to. A guard is the message that a worker leaves in case it dies. */
export type ChunkToSend = Pick<ChunkClaim, "broadcastId" | "afterId"> & {
  isGuard?: boolean | undefined;
};

/**
 * Claims a chunk of a broadcast and sends to its recipients. Then finishes, defers or releases the
 * chunk, and continues with the waiting chunks after it over the same SMTP sessions. Does nothing
 * if the chunk is not due, is done, or belongs to another worker. In the last case, a guard comes
 * back when that worker's lease should have ended. First settles what a dead worker left. Returns
 * false if it did nothing.
 * Throws 409 when another worker takes over the chunk in the meantime.
 */
export async function sendChunks(
  deps: Deps,
  { broadcastId, afterId, isGuard }: ChunkToSend,
  limits: TurnLimits = TURN_LIMITS,
): Promise<boolean> {
  const now = deps.now();
  const { leaseToken, leaseUntil } = newLease(deps, renewedLeaseMs(deps));
  const claim = { broadcastId, afterId, leaseToken };
  const [[chunk], [broadcast], [hold], [storage]] = await runBatch(deps.db, [
    claimChunk(deps.db, claim, now, leaseUntil),
    selectBroadcast(deps.db, broadcastId),
    selectHold(deps.db, claim),
    selectStorage(deps.db),
    markTurn(deps.db, claim, now),
  ]);
  // A chunk of a paused broadcast needs no guard: whoever resumes it wakes its chunks.
  if (hold && broadcast?.state === "sending" && (chunk || isGuard))
    guardChunk(deps, claim, hold.dueAt - now);
  if (!chunk || !broadcast) return false;
  const [project] = await selectProject(deps.db, broadcast.projectId);
  await takeChunks(deps, openTurn(deps, broadcast, storage, limits), { chunk, project });
  return true;
}

/** Works on a chunk and on the chunks that follow it, until the turn is over. */
export async function takeChunks(deps: Deps, turn: Turn, first: ClaimedChunk): Promise<void> {
  const { kind, projectId } = turn.broadcast;
  const send = kind === "batch" ? sendBatchChunk : sendChunk;
  try {
    let claimed: ClaimedChunk | undefined = first;
    while (claimed) claimed = await send(deps, turn, claimed);
  } finally {
    await turn.line.close();
  }
  if (turn.isFull) await wakeWaitingChunk(deps, projectId); // its connections are now free
}

/** Works on one chunk. Returns the next chunk to continue with, if any. */
async function sendChunk(
  deps: Deps,
  turn: Turn,
  { chunk, project }: ClaimedChunk,
): Promise<ClaimedChunk | undefined> {
  const { broadcast, deadline, line } = turn;
  turn.chunksLeft -= 1;
  turn.statementsLeft -= END_STATEMENTS;
  const variant = await contentVariantOf(deps, broadcast, chunk);
  const settled = await settleAbandonedChunk(deps, variant, chunk);
  if (await isMissedZone(deps, broadcast, settled))
    return endMissedZone(deps, broadcast, settled, turn.chunksLeft > 0);
  const ready = await makeReady(deps, turn, variant, project);
  if (!ready) return leaveForOthers(deps, broadcast, chunk, {});
  await beginZone(deps, broadcast, settled);
  const { sender, content, wait } = ready;
  if (wait) return leaveWithoutConnection(deps, broadcast, settled, wait);
  const autoPause = (turn.autoPause ??= openAutoPause(
    autoPauseOf(project, broadcast),
    isFirstOf(broadcast, settled),
  ));
  const { statementsLeft: statements } = turn;
  const bounds = { deadline, statements };
  const work = { broadcast, chunk: settled, content, from: sender.from, ...bounds, autoPause };
  const ledger = chunkLedger(deps, work);
  await deliverAll(deps, sender, ledger, line, deadline);
  const { progress } = ledger;
  turn.statementsLeft -= progress.statements;
  const hasRoom = turn.chunksLeft > 0 && turn.statementsLeft >= CHUNK_STATEMENTS;
  const mayGoOn = hasRoom && deps.now() < deadline();
  turn.isFull = !mayGoOn && progress.end === "through";
  const next = await endChunk(deps, broadcast, progress, mayGoOn);
  if (isCanary(settled)) await awaitCanary(deps, broadcast.id);
  return next;
}

/**
 * Returns the limits at which a broadcast pauses itself. One that was no draft tries everybody,
 * unless the server refuses its sender.
 */
function autoPauseOf(project: ClaimedChunk["project"], { plan }: BroadcastRow): AutoPauseLimits {
  const { autoPause } = bounceSettingsOf(project);
  return plan === null ? { ...autoPause, badAddressPct: 0 } : autoPause;
}

/**
 * Returns true if the first outcomes of a broadcast may be those of a chunk: nobody has been tried
 * in the chunk, and it is of the canary, or the finished chunks have few outcomes.
 */
function isFirstOf(broadcast: BroadcastRow, chunk: ChunkRow): boolean {
  if (chunk.attempt > 0 || outcomesOf(chunk) > 0) return false;
  return isCanary(chunk) || outcomesOf(broadcast) < FIRST_OUTCOMES;
}

const outcomesOf = ({ sent, failed, bounced }: Pick<ChunkRow, "sent" | "failed" | "bounced">) =>
  sent + failed + bounced;

/**
 * Opens the settings, the content and the line of a broadcast. `wait` is set when no connection is
 * free. Pauses the broadcast with the reason if the storage is full, or if the settings do not
 * allow sending because they are missing or the key cannot open the password.
 */
async function makeReady(
  deps: Deps,
  turn: Turn,
  variant: ContentVariant,
  project: ClaimedChunk["project"],
): Promise<{ sender: Sender; content: BroadcastContent; wait: Wait | undefined } | undefined> {
  try {
    if (!project) throw notFound("project");
    requireRoom(deps, turn.storage);
    const sender = await openSender(deps, project);
    audience(turn.broadcast); // throws for a condition that this version does not know
    if (turn.content?.variant.n !== variant.n || turn.content.variant.isTried !== variant.isTried)
      turn.content = await prepareBroadcast(deps, variant);
    const content = turn.content;
    return { sender, content, wait: await turn.line.open(project) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await pauseByItself(deps, turn.broadcast, reasonOf(error));
    return undefined;
  }
}
