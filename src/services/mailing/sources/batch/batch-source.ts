import type { Deps } from "../../../../deps.ts";
import {
  chunkHeld,
  type BroadcastRow,
  type ChunkRow,
  type Page,
} from "../../../broadcasts/index.ts";
import { selectSuppressed } from "../../../suppressions/index.ts";
import type { ClaimedMail } from "../../ledger.ts";
import { failed, suppressedOutcome } from "../../outcome.ts";
import { recordStatements, withoutRecipient, type MailFacts } from "../../record.ts";
import type { ChunkSource } from "../chunks/chunk-ledger.ts";
import { factsOfRecipient, type NamedMail } from "./batch-content.ts";
import { isThrough, sortOut, startProgress, type BatchProgress } from "./batch-progress.ts";
import type { BatchRecipient } from "./batch-recipient.ts";
import { failuresOf } from "./batch-failures.ts";
import { insertFailures } from "./batch-queries.ts";
import { indexOfRecipient, recipientId } from "./recipient-ids.ts";

export interface BatchWork {
  batch: BroadcastRow;
  chunk: ChunkRow;
  /** The recipients of the chunk. */
  recipients: BatchRecipient[];
  /** Returns the mail of a recipient from its facts and its data. */
  give: (mail: MailFacts, data: Record<string, unknown>) => ClaimedMail;
  /** Returns true once the sender is to give back what it has not handed over. */
  isOver: () => boolean;
}

/** A recipient as a page loads it. `erased` is set if the address is on the suppression list. */
interface Loaded {
  id: string;
  named: NamedMail;
  erased: boolean | undefined;
}

/** The source of a chunk of a batch, with the facts that are needed to end its work. */
export type BatchSource = ChunkSource<Loaded> & { progress: BatchProgress };

/** Returns the recipients of a chunk of a batch. Each is tried once, and nothing pauses a batch. */
export function batchSource(deps: Deps, work: BatchWork): BatchSource {
  const { batch, isOver, give } = work;
  const progress = startProgress(work.chunk);
  const { chunk } = progress;
  const indexes = new Map<string, number>();
  return {
    ...recordsOf(deps, batch, progress, indexes),
    progress,
    startedAt: deps.now(),
    mayGoOn() {
      progress.isOutOfTime ||= !isThrough(chunk) && isOver();
      return !progress.isOutOfTime;
    },
    async read(page) {
      const named = idsOf(page).map((id) => ({ id, named: nameRecipient(work, id) }));
      const emails = named.map((one) => one.named.mail.to.address);
      const hits = await selectSuppressed(deps, batch.projectId, emails);
      const erased = new Map(hits.map((hit) => [hit.email, Boolean(hit.erased)]));
      return named.map((one) => ({ ...one, erased: erased.get(one.named.mail.to.address) }));
    },
    claim({ id, named, erased }) {
      indexes.set(named.mail.logId, indexOfRecipient(id));
      if (erased !== undefined) {
        const mail = erased ? withoutRecipient(named.mail) : named.mail;
        return { mail, next: { decided: suppressedOutcome(mail.to.address) } };
      }
      if ("refusal" in named) return { mail: named.mail, next: { decided: named.refusal } };
      const { unreachable } = progress;
      if (unreachable === undefined) return give(named.mail, named.data);
      return { mail: named.mail, next: { decided: failed(named.mail.to.address, unreachable) } };
    },
    hears: () => undefined,
  };
}

/** Returns how a chunk of a batch counts and records outcomes. */
export function recordsOf(
  deps: Deps,
  batch: BroadcastRow,
  progress: BatchProgress,
  indexes: ReadonlyMap<string, number>,
): Pick<BatchSource, "chunk" | "sortOut" | "record"> {
  const { chunk } = progress;
  const indexOf = ({ logId }: MailFacts) => indexes.get(logId) ?? -1;
  return {
    chunk,
    sortOut: (finished) => sortOut(progress, finished, (mail) => recipientId(indexOf(mail))),
    record(recorded) {
      const held = chunkHeld(chunk);
      const failures = { id: deps.newId(), failures: failuresOf(recorded, indexOf) };
      return [
        ...recordStatements(deps, batch.projectId, recorded, held),
        ...insertFailures(deps.db, batch.id, failures, held),
      ];
    },
  };
}

/** Returns the facts of the mail of a recipient of the chunk. */
export function nameRecipient(
  { batch, chunk, recipients }: Pick<BatchWork, "batch" | "chunk" | "recipients">,
  id: string,
): NamedMail {
  const recipient = recipients[indexOfRecipient(id) - indexOfRecipient(chunk.afterId) - 1];
  if (!recipient) throw new Error(`a batch has no recipient ${id}`);
  return factsOfRecipient(batch, id, recipient);
}

function idsOf(page: Page): string[] {
  if (page.kind === "ids") return page.ids;
  const from = indexOfRecipient(page.after) + 1;
  const to = Math.min(indexOfRecipient(page.to) + 1, from + page.size);
  return Array.from({ length: to - from }, (_, n) => recipientId(from + n));
}
