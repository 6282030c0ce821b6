import type { Deps } from "../../../../deps.ts";
import type { BroadcastRow, ChunkRow } from "../../../broadcasts/index.ts";
import type { Recovery } from "../chunks/recovery.ts";
import { startProgress } from "./batch-progress.ts";
import { nameRecipient, recordsOf } from "./batch-source.ts";
import { unpackRecipients } from "./pack-recipients.ts";
import { indexOfRecipient } from "./recipient-ids.ts";

/** Returns the mails that a dead sender had begun in a chunk of a batch. */
export async function recoverBatch(
  deps: Deps,
  batch: BroadcastRow,
  chunk: ChunkRow,
  ids: string[],
): Promise<Recovery> {
  const recipients = unpackRecipients(chunk.recipients);
  const named = ids.map((id) => [id, nameRecipient({ batch, chunk, recipients }, id)] as const);
  const indexes = new Map(named.map(([id, { mail }]) => [mail.logId, indexOfRecipient(id)]));
  return {
    source: recordsOf(deps, batch, startProgress(chunk), indexes),
    mails: new Map(named.map(([id, { mail }]) => [id, mail])),
    decided: new Map(
      named.flatMap(([id, one]) => ("refusal" in one ? [[id, one.refusal] as const] : [])),
    ),
  };
}
