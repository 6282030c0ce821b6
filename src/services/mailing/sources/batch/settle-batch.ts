import type { SQL } from "drizzle-orm";
import type { Deps } from "../../../../deps.ts";
import type { Statement } from "../../../../db/client.ts";
import type { NotedMail } from "../../../../db/schema/index.ts";
import { logLine } from "../../../../lib/log-line.ts";
import {
  chunkHeld,
  insertFailures,
  updateHeldChunk,
  type BroadcastRow,
  type ChunkRow,
  indexOfRecipient,
} from "../../../broadcasts/index.ts";
import { failed, OUTCOME_UNKNOWN, type AddressOutcome } from "../../outcome.ts";
import { runSettle } from "../../run-settle.ts";
import { settleStatements, type MailFacts, type SettledMail } from "../../settle.ts";
import { factsOfRecipient } from "./batch-content.ts";
import { failuresOf } from "./batch-failures.ts";
import { addressOf, type BatchRecipient } from "./batch-recipient.ts";
import { cutText } from "../../../../lib/cut-text.ts";

/**
 * The number of mails that a ledger notes before it logs them together: of all mails, and of mails
 * with an error.
 */
const NOTED_MAX = { all: 256, errors: 64 };

/** The longest noted error. Every write of a worker carries the noted errors. */
const MAX_ERROR_CHARACTERS = 500;

/** Returns true if enough mails are noted to log them. */
export function mustLogBatch(noted: SettledMail[]): boolean {
  if (noted.length >= NOTED_MAX.all) return true;
  return noted.filter(({ outcome }) => outcome.main.error !== null).length >= NOTED_MAX.errors;
}

/** Returns the record of a mail whose outcome waits to be logged with others. */
export function noteOf(
  { mail, outcome: { main } }: SettledMail,
  ids: ReadonlyMap<string, string>,
): NotedMail {
  const id = ids.get(mail.logId) ?? "";
  const { status, error, reason, viaFallback } = main;
  if (status === "sent" && !viaFallback) return id;
  const said = { id, status, error: error === null ? null : cutText(error, MAX_ERROR_CHARACTERS) };
  const noted = viaFallback ? { ...said, viaFallback } : said;
  return reason ? { ...noted, reason } : noted;
}

/** Returns all writes of finished mails of a batch, with its failures, if `when` is true. */
export function settleBatch(
  deps: Deps,
  { id: batchId, projectId }: BroadcastRow,
  { settled, indexOf }: { settled: SettledMail[]; indexOf: (mail: MailFacts) => number },
  when: SQL,
): Statement[] {
  const failures = failuresOf(settled, indexOf);
  const statements = settleStatements(deps, projectId, settled, when);
  if (failures.length === 0) return statements;
  return [...statements, insertFailures(deps.db, batchId, { id: deps.newId(), failures }, when)];
}

/**
 * Settles what a dead worker left in a chunk of a batch. Logs the outcomes that it noted, and the
 * mails that it had in flight as "outcome unknown". None of these mails is sent again. Returns the
 * chunk as it is afterwards.
 */
export async function settleAbandonedBatchChunk(
  deps: Deps,
  batch: BroadcastRow,
  chunk: ChunkRow,
  recipients: BatchRecipient[],
): Promise<ChunkRow> {
  const { inFlight, accepted } = chunk;
  if (inFlight.length + accepted.length === 0) return chunk;
  const first = indexOfRecipient(chunk.afterId) + 1;
  const indexes = new Map<string, number>();
  const settledWith = (
    id: string,
    outcome: (email: string, refusal: AddressOutcome | undefined) => AddressOutcome,
  ): SettledMail[] => {
    const index = indexOfRecipient(id);
    const recipient = recipients[index - first];
    if (!recipient) return [];
    const named = factsOfRecipient(batch, id, recipient);
    const { mail } = named;
    const refusal = "refusal" in named ? named.refusal : undefined;
    indexes.set(mail.logId, index);
    return [{ mail, outcome: { main: outcome(addressOf(recipient), refusal), copies: [] } }];
  };
  const mails = [
    ...accepted.flatMap((note) => settledWith(idOfNote(note), (email) => outcomeOf(note, email))),
    ...inFlight.flatMap((id) =>
      settledWith(id, (email, refusal) => refusal ?? failed(email, OUTCOME_UNKNOWN)),
    ),
  ];
  const indexOf = ({ logId }: MailFacts) => indexes.get(logId) ?? -1;
  logLine("warn", "broadcast_outcome_unknown", { broadcastId: batch.id, mails: inFlight.length });
  const settled = { ...chunk, inFlight: [], accepted: [] };
  for (const { outcome } of mails) settled[outcome.main.status] += 1;
  const { sent, failed: failedCount, bounced, suppressed } = settled;
  const counts = { sent, failed: failedCount, bounced, suppressed };
  const change = { inFlight: [], accepted: [], ...counts };
  const settling = settleBatch(deps, batch, { settled: mails, indexOf }, chunkHeld(chunk));
  await runSettle(deps, settling, [updateHeldChunk(deps.db, chunk, change)]);
  return settled;
}

const idOfNote = (note: NotedMail) => (typeof note === "string" ? note : note.id);

function outcomeOf(note: NotedMail, email: string): AddressOutcome {
  if (typeof note === "string") return { email, status: "sent", error: null };
  const { id: _id, ...outcome } = note;
  return { email, ...outcome } as AddressOutcome; // `noteOf` took it from this type
}
