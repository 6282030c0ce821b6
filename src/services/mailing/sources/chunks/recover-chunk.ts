import type { Deps } from "../../../../deps.ts";
import { runBatch } from "../../../../db/client.ts";
import { logLine } from "../../../../lib/log-line.ts";
import {
  recordChunk,
  releaseChunk,
  selectBroadcast,
  selectHeldChunk,
  type BroadcastRow,
  type ChunkRow,
} from "../../../broadcasts/index.ts";
import type { JournalEntry, Left, MailJournal } from "../../journal.ts";
import { failed, final, OUTCOME_UNKNOWN, type MailOutcome } from "../../outcome.ts";
import { writeRecord } from "../../write-record.ts";
import type { FinishedMail } from "../../record.ts";
import { recoverBatch } from "../batch/recover-batch.ts";
import { recoverBroadcast } from "../broadcast/recover-broadcast.ts";
import { progressOf } from "./chunk-ledger.ts";

/**
 * Records what a dead sender left in the chunk that it held, and releases the chunk. A mail with an
 * outcome gets that one; a mail that was begun without one is logged as "outcome unknown". None of
 * these mails is sent again, unless its outcome says so.
 */
export async function recoverChunk(deps: Deps, journal: MailJournal, left: Left): Promise<void> {
  const { work } = left;
  const [[held], [broadcast]] = await runBatch(deps.db, [
    selectHeldChunk(deps.db, work),
    selectBroadcast(deps.db, work.broadcastId),
  ]);
  if (held && broadcast) await recordLeft(deps, broadcast, leftIn(held, left), journal.last);
  journal.end();
}

interface LeftIn {
  /** The chunk, past everybody whose mail was begun. */
  chunk: ChunkRow;
  begun: Set<string>;
  outcomes: Map<string, MailOutcome | "accepted">;
  unknown: string[];
}

/** Returns what became of the mails of a chunk since the last record. */
function leftIn(held: ChunkRow, { entries }: Left): LeftIn {
  const since = entries
    .filter(({ n }) => n > held.recorded)
    .map(({ entry }) => JSON.parse(entry) as JournalEntry); // the ledger wrote it
  const outcomes: LeftIn["outcomes"] = new Map();
  for (const noted of since.flatMap(({ done }) => done))
    if (typeof noted === "string") outcomes.set(noted, "accepted");
    else outcomes.set(noted[0], { main: noted[1], copies: [], retry: noted[2] });
  const begun = new Set([...held.inFlight, ...since.flatMap((entry) => entry.begun)]);
  const chunk = { ...held, cursorId: since.at(-1)?.cursorId ?? held.cursorId };
  return { chunk, begun, outcomes, unknown: [...begun].filter((id) => !outcomes.has(id)) };
}

async function recordLeft(
  deps: Deps,
  broadcast: BroadcastRow,
  { chunk, begun, outcomes, unknown }: LeftIn,
  n: number,
): Promise<void> {
  const ids = [...outcomes.keys(), ...unknown];
  const recover = broadcast.kind === "batch" ? recoverBatch : recoverBroadcast;
  const { source, mails, decided } = await recover(deps, broadcast, chunk, ids);
  source.chunk.again = source.chunk.again.filter(({ id }) => !begun.has(id));
  const finished = ids.flatMap((id): FinishedMail[] => {
    const mail = mails.get(id);
    if (!mail) return []; // erased meanwhile
    const email = mail.to.address;
    const noted = outcomes.get(id) ?? final(decided?.get(id) ?? failed(email, OUTCOME_UNKNOWN));
    const outcome = noted === "accepted" ? final({ email, status: "sent", error: null }) : noted;
    return [{ mail, outcome }];
  });
  if (unknown.length > 0)
    logLine("warn", "broadcast_outcome_unknown", {
      broadcastId: broadcast.id,
      mails: unknown.length,
    });
  const statements = source.record(source.sortOut(finished), n);
  const progress = { ...progressOf(source.chunk), inFlight: [], recorded: n };
  await writeRecord(deps, statements, [recordChunk(deps.db, chunk, progress)]);
  await runBatch(deps.db, releaseChunk(deps, broadcast, source.chunk, {}));
}
