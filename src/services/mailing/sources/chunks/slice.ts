import type { BroadcastRow, ChunkRow } from "../../../broadcasts/index.ts";
import type { ProjectRow } from "../../../access/index.ts";
import type { StorageRow } from "../../../storage/index.ts";
import type { BulkLine } from "../../deliver.ts";
import type { MailJournal } from "../../journal.ts";
import type { AutoPause } from "../../ledger.ts";
import type { BroadcastContent } from "../broadcast/chunk-mails.ts";
import type { Budget } from "./chunk-ledger.ts";

/** The time for which one piece of work may go on while another one is due. */
export const TURN_MS = 5_000;

/** What the pieces of work of a sender share. */
export interface Slice {
  journal: MailJournal;
  budget: Budget;
  /** Returns true once the sender is to give back what it has not handed over. */
  isOver: () => boolean;
  openLine: (broadcast: BroadcastRow) => BulkLine;
  /** The auto-pauses of the broadcasts that the sender has sent last. */
  autoPauses: Map<string, AutoPause>;
  /** The content of the last chunk. */
  content?: BroadcastContent;
}

/** A chunk that the sender holds, with what was read with its claim. */
export interface HeldChunk {
  broadcast: BroadcastRow;
  chunk: ChunkRow;
  project: ProjectRow | undefined;
  storage: StorageRow | undefined;
}
