import { domainOf } from "../../mail/address.ts";
import { MESSAGES_IN_HAND_MAX, type OutgoingMessage } from "../../mail/smtp/index.ts";
import type { BulkLine } from "./bulk-line.ts";
import { decideOrCompose } from "./decide-or-compose.ts";
import type { ClaimedMail, Ledger } from "./ledger.ts";
import { heldBackOutcome } from "./outcome.ts";
import type { MailFacts, SettledMail } from "./settle.ts";

/**
 * The number of free places at which a write claims more: the sessions work on the other half of
 * MESSAGES_IN_HAND_MAX meanwhile.
 */
const GROUP = 8;

/** A message to send, with the facts of its mail. */
export type InHand = OutgoingMessage & { mail: MailFacts };

/** The mails of one delivery between their claim and their settle. */
export interface ClaimQueue {
  ledger: Ledger;
  line: BulkLine;
  /** Claimed mails that no session has taken yet. */
  waiting: ClaimedMail[];
  /** Mails with an outcome that no write has recorded yet. */
  finished: SettledMail[];
  /** Claimed mails without an outcome: at most MESSAGES_IN_HAND_MAX (decision D7). */
  inHand: Set<MailFacts>;
  /** Returns true once no mail may begin, so that none waits for a limit. */
  isOver: () => boolean;
  /** True once a session was to begin a mail. Without it, the server was not even asked. */
  hasBegun: boolean;
  /** The last write of the ledger. Writes run one at a time, in order. */
  writing: Promise<void>;
  /** True while a write in the background runs or waits for its turn. */
  isSettling: boolean;
  /** True while a claim runs. */
  isClaiming: boolean;
  /** Resolves at the next outcome, or the end of the next claim. */
  change: PromiseWithResolvers<void>;
  /** The first error of a write that nobody awaited. */
  fault: unknown;
}

type Given = Pick<ClaimQueue, "ledger" | "line" | "isOver">;

export function openClaimQueue(given: Given): ClaimQueue {
  return {
    ...given,
    waiting: [],
    finished: [],
    inHand: new Set(),
    hasBegun: false,
    writing: Promise.resolve(),
    isSettling: false,
    isClaiming: false,
    change: Promise.withResolvers(),
    fault: undefined,
  };
}

/**
 * Settles the finished mails and renews the lease in the background, unless such a write is already
 * waiting. Keeps an error for later.
 */
export function settleInBackground(queue: ClaimQueue): void {
  if (queue.isSettling) return;
  queue.isSettling = true;
  void advance(queue, false)
    .catch((error: unknown) => keepFault(queue, error))
    .finally(() => {
      queue.isSettling = false;
    });
}

/** Settles the last mails. Waits for every write. Throws if a claimed mail has no outcome. */
export async function settleRest(queue: ClaimQueue): Promise<void> {
  await queue.writing;
  if (queue.fault) throw queue.fault;
  if (queue.inHand.size > 0) throw new Error("a delivery ended with mails in hand");
  if (queue.finished.length > 0 || queue.ledger.owesLog?.()) await advance(queue, false);
}

/** Records the outcome of a mail for the next write. */
export function finishMail(
  queue: ClaimQueue,
  mail: MailFacts,
  outcome: SettledMail["outcome"],
): void {
  queue.inHand.delete(mail);
  queue.finished.push({ mail, outcome });
  queue.ledger.autoPause?.note(outcome.main);
  claimWhenDue(queue);
  announce(queue);
}

/**
 * Returns the next message to send; undefined when none is left. Throws the kept error of a write.
 */
export async function takeMail(queue: ClaimQueue): Promise<InHand | undefined> {
  for (;;) {
    if (queue.fault) throw queue.fault;
    const claimed = mayGive(queue) ? queue.waiting.shift() : undefined;
    if (claimed) {
      const made = await admitAndCompose(queue, claimed);
      if (made) return made;
    } else if (queue.isClaiming || queue.waiting.length > 0 || queue.ledger.hasMore()) {
      claimWhenDue(queue);
      await queue.change.promise;
    } else return undefined;
  }
}

/** Returns the message of a claimed mail. Finishes a mail that is not to be sent. */
async function admitAndCompose(
  queue: ClaimQueue,
  claimed: ClaimedMail,
): Promise<InHand | undefined> {
  const { mail, next } = claimed;
  const { line, isOver } = queue;
  const isStopped = isOver() || queue.ledger.autoPause?.stopped() !== undefined;
  const admission =
    "compose" in next && !isStopped ? await line.admit(domainOf(mail.to.address), isOver) : "go";
  const made =
    typeof admission === "object"
      ? heldBackOutcome(mail.to.address, admission)
      : await decideOrCompose(queue.ledger, claimed);
  if ("data" in made) {
    queue.hasBegun ||= !queue.isOver();
    return { ...made, mail };
  }
  finishMail(queue, mail, { main: made, copies: [] });
  return undefined;
}

/**
 * Returns false while the auto-pause holds back the waiting mails. The next outcome of a mail that is
 * already on its way may end this.
 */
function mayGive({ ledger, inHand, waiting }: ClaimQueue): boolean {
  return ledger.autoPause?.mayGive(inHand.size - waiting.length) ?? true;
}

function advance(queue: ClaimQueue, mayClaim: boolean): Promise<void> {
  queue.writing = queue.writing.then(() => write(queue, mayClaim));
  return queue.writing;
}

async function write(queue: ClaimQueue, mayClaim: boolean): Promise<void> {
  const { ledger, finished, inHand, waiting } = queue;
  const count = mayClaim ? MESSAGES_IN_HAND_MAX - inHand.size : 0;
  const claimed = await ledger.advance(finished.splice(0), [...inHand], count);
  for (const { mail } of claimed) inHand.add(mail);
  waiting.push(...claimed);
}

/** Claims more in the background when there is room for a group of mails. */
function claimWhenDue(queue: ClaimQueue): void {
  if (MESSAGES_IN_HAND_MAX - queue.inHand.size >= GROUP) claimNow(queue);
}

function claimNow(queue: ClaimQueue): void {
  if (queue.isClaiming || queue.fault || !queue.ledger.hasMore()) return;
  queue.isClaiming = true;
  void advance(queue, true)
    .catch((error: unknown) => keepFault(queue, error))
    .finally(() => {
      queue.isClaiming = false;
      announce(queue);
    });
}

function announce(queue: ClaimQueue): void {
  const { resolve } = queue.change;
  queue.change = Promise.withResolvers();
  resolve();
}

/** Keeps the first error, with which every taker ends. */
export function keepFault(queue: ClaimQueue, error: unknown): void {
  queue.fault ??= error;
  announce(queue);
}
