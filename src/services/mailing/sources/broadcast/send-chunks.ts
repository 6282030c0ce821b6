import type { Deps } from "../../../../deps.ts";
import { runBatch } from "../../../../db/client.ts";
import { newLease, renewedLeaseMs } from "../../../../db/lease.ts";
import { AppError, notFound } from "../../../../errors.ts";
import { SessionPool } from "../../../../mail/smtp/index.ts";
import {
  claimChunk,
  guardChunk,
  pauseByItself,
  selectBroadcast,
  selectHold,
  type BroadcastRow,
  type ChunkClaim,
} from "../../../broadcasts/index.ts";
import { openSender, selectProject, type Sender } from "../../../projects/index.ts";
import { requireRoom, selectStorage, type StorageRow } from "../../../storage/index.ts";
import { deliverAll } from "../../deliver.ts";
import { WORK_MS } from "./attempts.ts";
import { chunkLedger } from "./chunk-ledger.ts";
import { prepareBroadcast, type BroadcastContent } from "./chunk-mails.ts";
import { endChunk, leaveForOthers, type ClaimedChunk } from "./end-chunk.ts";
import { settleAbandonedChunk } from "./settle-abandoned-chunk.ts";

/**
 * The chunks of one turn. Each takes some 70 statements, 200 at most, and D1 allows 1,000 per
 * invocation.
 */
const CHUNKS_A_TURN = 4;

/** The state that the chunks of one turn share. */
interface Turn {
  broadcast: BroadcastRow;
  /** The time at which the worker releases its current chunk, in milliseconds. */
  deadline: number;
  pool: SessionPool;
  chunksLeft: number;
  /** How full the database was at the start. */
  storage: StorageRow | undefined;
  content?: BroadcastContent;
}

/** A chunk to send to. A guard is the message that its worker leaves for the case of its death. */
export type ChunkToSend = Pick<ChunkClaim, "broadcastId" | "afterId"> & {
  isGuard?: boolean | undefined;
};

/**
 * Claims a chunk of a broadcast and sends to its recipients. Then finishes the chunk, defers it or
 * releases it, and continues with the waiting chunks after it over the same SMTP sessions. Does
 * nothing if the chunk is not due, is done, or belongs to another worker; a guard then comes back
 * when that worker's lease should have ended. First settles what a dead worker left.
 * Throws conflict when another worker takes the chunk over in the meantime.
 */
export async function sendChunks(
  deps: Deps,
  { broadcastId, afterId, isGuard }: ChunkToSend,
): Promise<void> {
  const now = deps.now();
  const { leaseToken, leaseUntil } = newLease(deps, renewedLeaseMs(deps));
  const claim = { broadcastId, afterId, leaseToken };
  const [[chunk], [broadcast], [hold], [storage]] = await runBatch(deps.db, [
    claimChunk(deps.db, claim, now, leaseUntil),
    selectBroadcast(deps.db, broadcastId),
    selectHold(deps.db, claim),
    selectStorage(deps.db),
  ]);
  // A chunk of a paused broadcast needs no guard: whoever resumes it wakes its chunks.
  if (hold && broadcast?.state === "sending" && (chunk || isGuard))
    guardChunk(deps, claim, hold.dueAt - now);
  if (!chunk || !broadcast) return;
  const [project] = await selectProject(deps.db, broadcast.projectId);
  const pool = new SessionPool();
  const turn = { broadcast, deadline: now + WORK_MS, pool, chunksLeft: CHUNKS_A_TURN, storage };
  try {
    let claimed: ClaimedChunk | undefined = { chunk, project };
    while (claimed) claimed = await sendChunk(deps, turn, claimed);
  } finally {
    await pool.close();
  }
}

/** Works on one chunk. Returns the next chunk to continue with, if any. */
async function sendChunk(
  deps: Deps,
  turn: Turn,
  { chunk, project }: ClaimedChunk,
): Promise<ClaimedChunk | undefined> {
  const { broadcast, deadline, pool } = turn;
  turn.chunksLeft -= 1;
  const settled = await settleAbandonedChunk(deps, broadcast, chunk);
  const ready = await makeReady(deps, turn, project);
  if (!ready) return leaveForOthers(deps, broadcast, chunk, {});
  const { sender, content } = ready;
  const work = { broadcast, chunk: settled, content, from: sender.from, deadline };
  const ledger = chunkLedger(deps, work);
  await deliverAll(deps, sender, ledger, pool);
  const mayGoOn = turn.chunksLeft > 0 && deps.now() < deadline;
  return endChunk(deps, broadcast, ledger.progress, mayGoOn);
}

/**
 * Opens the settings and the content of a broadcast. If they do not allow sending (missing
 * settings, a key that cannot open the password), or the storage is full, pauses the broadcast with
 * the reason.
 */
async function makeReady(
  deps: Deps,
  turn: Turn,
  project: ClaimedChunk["project"],
): Promise<{ sender: Sender; content: BroadcastContent } | undefined> {
  try {
    if (!project) throw notFound("project");
    requireRoom(deps, turn.storage);
    const sender = await openSender(deps, project);
    const content = (turn.content ??= await prepareBroadcast(turn.broadcast));
    return { sender, content };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await pauseByItself(deps, turn.broadcast, error.message);
    return undefined;
  }
}
