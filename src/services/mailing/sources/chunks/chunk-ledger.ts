import type { Deps } from "../../../../deps.ts";
import type { Statement } from "../../../../db/client.ts";
import { refusal } from "../../../../errors.ts";
import {
  recordChunk,
  type BroadcastRow,
  type ChunkRow,
  type Page,
} from "../../../broadcasts/index.ts";
import type { JournalEntry, MailJournal, Noted } from "../../journal.ts";
import type { AutoPause, ClaimedMail, Ledger } from "../../ledger.ts";
import { writeRecord } from "../../write-record.ts";
import type { MailFacts, FinishedMail } from "../../record.ts";
import { ChunkAhead } from "./chunk-ahead.ts";

/** The recipients of a chunk, their mails, and what their outcomes mean. */
export interface ChunkSource<Recipient extends { id: string }> {
  /** The chunk's row. It moves with the work; its counts are those of the outcomes so far. */
  chunk: ChunkRow;
  startedAt: number;
  autoPause?: AutoPause;
  /** Returns true if more recipients may be claimed now. */
  mayGoOn: () => boolean;
  read: (page: Page) => Promise<Recipient[]>;
  /** Returns the mail of a recipient. */
  claim: (recipient: Recipient) => ClaimedMail;
  /** Counts outcomes, and takes back the recipients to try again. Returns the mails to record. */
  sortOut: (finished: FinishedMail[]) => FinishedMail[];
  /** Returns the statements that record mails, if the claim holds. `n` names this record. */
  record: (mails: FinishedMail[], n: number) => Statement[];
  /** Learns the state of the broadcast. */
  hears: (state: BroadcastRow["state"]) => void;
}

/**
 * The number of outcomes that are recorded in one write of D1, the most that wait for it, and the
 * longest wait in milliseconds.
 */
const RECORD = { mails: 128, mostMails: 512, afterMs: 1_000 };

/** The D1 statements that a run of the sender may still use. */
export interface Budget {
  statements: number;
}

/**
 * Creates a ledger that claims recipients in the journal of the sender, and records their outcomes
 * in D1 in large batches while others are on their way. D1 holds the number of the last entry that
 * it has, so after a crash the rest follows from the journal.
 */
export function chunkLedger<Recipient extends { id: string }>(
  deps: Deps,
  source: ChunkSource<Recipient>,
  journal: MailJournal,
  budget: Budget,
): Ledger {
  const { chunk } = source;
  const ahead = new ChunkAhead<Recipient>(chunk, source.startedAt);
  const ids = new WeakMap<MailFacts, string>();
  const idOf = (mail: MailFacts) => ids.get(mail) ?? "";
  /** The mails to record, and the number of outcomes that D1 does not have, including deferrals. */
  let noted: FinishedMail[] = [];
  let owed = 0;
  let unwritten: Noted[] = [];
  let begun: string[] = [];
  let recorded = journal.last;
  let recordedAt = deps.now();
  let recording: Promise<void> | undefined;
  let reading: Promise<void> | undefined;
  const faults: unknown[] = [];
  /** Why an entry of the journal failed. A later entry would pass over what that one began. */
  let broken: unknown;

  const read = async () => {
    const page = ahead.nextPage();
    if (!page) return;
    budget.statements -= 1;
    ahead.add(page, await source.read(page), deps.now());
  };
  const readPage = () => (reading ??= read().finally(() => (reading = undefined)));

  const record = async (mails: FinishedMail[]) => {
    const n = journal.last;
    const statements = source.record(mails, n);
    const update = recordChunk(deps.db, chunk, {
      ...progressOf(chunk),
      inFlight: begun,
      recorded: n,
    });
    budget.statements -= statements.length + 1;
    const [[row]] = await writeRecord(deps, statements, [update]);
    if (!row) throw refusal("chunk_taken_over", {});
    recorded = n;
    source.hears(row.state);
  };
  const recordInBackground = () => {
    const mails = noted;
    noted = [];
    owed = 0;
    recordedAt = deps.now();
    recording = record(mails)
      .catch((error: unknown) => void faults.push(error))
      .finally(() => (recording = undefined));
  };

  const take = async (count: number): Promise<Recipient[]> => {
    if (count === 0) return [];
    while (source.mayGoOn()) {
      ahead.expire(deps.now());
      if (ahead.isThrough) return [];
      if (ahead.isEmpty) await readPage();
      const recipients = ahead.take(count);
      if (recipients.length > 0) return recipients;
    }
    return [];
  };

  const write = async () => {
    const entry: JournalEntry = { begun, done: unwritten, cursorId: chunk.cursorId };
    unwritten = [];
    try {
      await journal.write(JSON.stringify(entry));
    } catch (error) {
      broken = error;
      throw error;
    }
  };

  return {
    ...(source.autoPause ? { autoPause: source.autoPause } : {}),
    hasMore: () => source.mayGoOn() && !ahead.isThrough,
    owesLog: () => owed > 0 || recording !== undefined,
    async advance(finished, inHand, count) {
      if (broken !== undefined) throw broken;
      unwritten.push(...finished.map((one) => noteOf(idOf(one.mail), one)));
      noted.push(...source.sortOut(finished));
      owed += finished.length;
      const recipients = faults.length > 0 ? [] : await take(count);
      const claimed = recipients.map((recipient) => {
        const mail = source.claim(recipient);
        ids.set(mail.mail, recipient.id);
        return mail;
      });
      begun = [...inHand, ...claimed.map(({ mail }) => mail)].map(idOf);
      if (claimed.length > 0 || unwritten.length > 0) await write();
      if (faults.length > 0) throw faults[0];
      const isEnd = count === 0 && inHand.length === 0;
      const isFull = owed >= RECORD.mostMails || journal.last - recorded > journal.spare / 2;
      if (isEnd || isFull) await recording;
      const isDue = owed >= RECORD.mails || deps.now() - recordedAt >= RECORD.afterMs;
      if (!recording && owed > 0 && (isDue || isEnd || isFull)) recordInBackground();
      if (isEnd) await recording;
      if (faults.length > 0) throw faults[0];
      return claimed;
    },
  };
}

/** The columns of a chunk that its work changes, copied: the work goes on while D1 takes them. */
export function progressOf(chunk: ChunkRow) {
  const { sent, failed, bounced, suppressed, unknown, cursorId, again, deferred } = chunk;
  const counts = { sent, failed, bounced, suppressed, unknown };
  return { ...counts, cursorId, again: [...again], deferred: [...deferred] };
}

const noteOf = (id: string, { outcome: { main, retry } }: FinishedMail): Noted => {
  const { status, viaFallback, queueId, earlier } = main;
  return status === "sent" && !(viaFallback ?? queueId ?? earlier) ? id : [id, main, retry];
};
