import { AppError } from "../../errors.ts";
import type { OutgoingMessage } from "../../mail/smtp/index.ts";
import type { ClaimedMail, Ledger } from "./ledger.ts";
import { failed, type AddressOutcome } from "./outcome.ts";
import type { MailFacts, SettledMail } from "./settle.ts";

/** The largest number of unknown outcomes after a crash (decision D25). */
const UNKNOWN_MAX = 50;

/** The queue length at which to claim more, so sessions have work while D1 answers. */
const CLAIM_AT = 8;

/** A message to send, with its facts. */
export type InHand = OutgoingMessage & { mail: MailFacts };

/** The mails of one delivery between their claim and their settle. */
export interface ClaimQueue {
  ledger: Ledger;
  waiting: ClaimedMail[];
  settled: SettledMail[];
  inHand: Set<MailFacts>;
  /** The last write of the ledger. Writes run one at a time, in order. */
  writing: Promise<void>;
  /** The running claim, if any. */
  claiming: Promise<void> | undefined;
  /** The first error of a write that nobody awaited. */
  fault: unknown;
}

export function openClaimQueue(ledger: Ledger): ClaimQueue {
  return {
    ledger,
    waiting: [],
    settled: [],
    inHand: new Set(),
    writing: Promise.resolve(),
    claiming: undefined,
    fault: undefined,
  };
}

/** Settles the finished mails and renews the lease in the background. Keeps an error for later. */
export function settleInBackground(queue: ClaimQueue): void {
  advance(queue, false).catch((error: unknown) => keepFault(queue, error));
}

/** Settles the last mails. Waits for every write. */
export function settleRest(queue: ClaimQueue): Promise<void> {
  return queue.settled.length > 0 ? advance(queue, false) : queue.writing;
}

/** Records the outcome of a mail for the next write. */
export function finishMail(
  { inHand, settled }: ClaimQueue,
  mail: MailFacts,
  outcome: SettledMail["outcome"],
): void {
  inHand.delete(mail);
  settled.push({ mail, outcome });
}

/**
 * Returns the next message to send, or undefined when none is left. Claims more in the background
 * before the claimed ones run out. Throws the kept error of a write.
 */
export async function takeMail(queue: ClaimQueue): Promise<InHand | undefined> {
  if (queue.fault) throw queue.fault;
  for (;;) {
    const claimed = queue.waiting.shift();
    if (queue.waiting.length <= CLAIM_AT && queue.ledger.hasMore())
      claimMore(queue).catch((error: unknown) => keepFault(queue, error));
    if (!claimed) {
      if (!queue.claiming) return undefined;
      await queue.claiming;
      continue;
    }
    const { mail, next } = claimed;
    const made = "decided" in next ? next.decided : await composeOrFail(mail, next.compose);
    if ("data" in made) return { ...made, mail };
    finishMail(queue, mail, { main: made, copies: [] });
  }
}

function advance(queue: ClaimQueue, mayClaim: boolean): Promise<void> {
  queue.writing = queue.writing.then(() => write(queue, mayClaim));
  return queue.writing;
}

async function write(queue: ClaimQueue, mayClaim: boolean): Promise<void> {
  const { ledger, settled, inHand, waiting } = queue;
  const count = mayClaim ? UNKNOWN_MAX - inHand.size : 0;
  const claimed = await ledger.advance(settled.splice(0), [...inHand], count);
  for (const { mail } of claimed) inHand.add(mail);
  waiting.push(...claimed);
}

function claimMore(queue: ClaimQueue): Promise<void> {
  return (queue.claiming ??= advance(queue, true).finally(() => {
    queue.claiming = undefined;
  }));
}

function keepFault(queue: ClaimQueue, error: unknown): void {
  queue.fault ??= error;
}

/** Composes one mail. A mail that cannot be composed (a broken header, invalid HTML) fails alone. */
async function composeOrFail(
  mail: MailFacts,
  compose: () => Promise<OutgoingMessage>,
): Promise<OutgoingMessage | AddressOutcome> {
  try {
    return await compose();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return failed(mail.to.address, error.message);
  }
}
