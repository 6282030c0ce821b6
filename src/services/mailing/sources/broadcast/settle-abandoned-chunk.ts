import type { Deps } from "../../../../deps.ts";
import { logLine } from "../../../../lib/log-line.ts";
import {
  chunkHeld,
  noteAccepted,
  parseRecipients,
  selectUnsettled,
  updateHeldChunk,
  type ChunkRow,
  type Recipient,
} from "../../../broadcasts/index.ts";
import { failed, OUTCOME_UNKNOWN, type AddressOutcome } from "../../outcome.ts";
import { runSettle } from "../../run-settle.ts";
import { settleStatements } from "../../settle.ts";
import { factsOfMail } from "./chunk-mails.ts";
import type { ContentVariant } from "./content-variant.ts";

/**
 * Settles what a dead worker left in a chunk. Logs the mails that it noted as accepted, and those
 * that it had in flight as "outcome unknown". None of these mails is sent again. Returns the chunk
 * as it is afterwards.
 */
export async function settleAbandonedChunk(
  deps: Deps,
  variant: ContentVariant,
  chunk: ChunkRow,
): Promise<ChunkRow> {
  if (chunk.inFlight.length + chunk.accepted.length === 0) return chunk;
  const { broadcast } = variant;
  const [row] = await selectUnsettled(deps.db, chunk);
  const accepted = parseRecipients(row?.accepted);
  const unknown = parseRecipients(row?.inFlight);
  const settled = (recipient: Recipient, main: AddressOutcome) => ({
    mail: factsOfMail(variant, recipient),
    outcome: { main, copies: [] },
  });
  const mails = [
    ...accepted.map((one) => settled(one, acceptedBy(chunk, one))),
    ...unknown.map((one) => settled(one, failed(one.email, OUTCOME_UNKNOWN))),
  ];
  logLine("warn", "broadcast_outcome_unknown", {
    broadcastId: broadcast.id,
    mails: unknown.length,
  });
  const change = {
    inFlight: [],
    accepted: [],
    sent: chunk.sent + accepted.length,
    failed: chunk.failed + unknown.length,
    unknown: chunk.unknown + unknown.length,
  };
  const settling = settleStatements(deps, broadcast.projectId, mails, chunkHeld(chunk));
  await runSettle(deps, settling, [updateHeldChunk(deps.db, chunk, change)]);
  return { ...chunk, ...change };
}

function acceptedBy({ accepted }: ChunkRow, { id, email }: Recipient): AddressOutcome {
  const isByFallback = accepted.includes(noteAccepted(id, true));
  const sent = { email, status: "sent", error: null } as const;
  return isByFallback ? { ...sent, viaFallback: true } : sent;
}
