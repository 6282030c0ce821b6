import type { App } from "../../app.ts";
import { AppError } from "../../errors.ts";
import {
  DEFAULT_SMTP_TIMEOUTS,
  MESSAGES_IN_HAND_MAX,
  sendOverConnections,
  type OutgoingMessage,
} from "../../mail/smtp/index.ts";
import type { Sender } from "../projects/index.ts";
import { failed, outcomesOf, type AddressOutcome } from "./outcome.ts";
import type { MailFacts, SettledMail } from "./settle.ts";

/** A claimed mail: what is to be sent, or, where that is known without SMTP (suppressed), its outcome. */
export interface ClaimedMail {
  mail: MailFacts;
  next: { compose: () => Promise<OutgoingMessage> } | { decided: AddressOutcome };
}

/**
 * The book that makes a long delivery survive a crash.
 * `advance` settles finished mails, keeps `inHand` written down and, if asked, claims more, all in
 * one atomic write; it gives no mails when nothing is left, and throws when the lease was lost.
 */
export interface Ledger {
  advance(settled: SettledMail[], inHand: MailFacts[], claimMore: boolean): Promise<ClaimedMail[]>;
}

/** Decisions, "Sending": at most so many outcomes are unknown after a crash. */
const UNKNOWN_MAX = 50;

/** Mails that a ledger claims in one write: with those on their way they are what a crash leaves unknown. */
export const GROUP_SIZE = UNKNOWN_MAX - MESSAGES_IN_HAND_MAX;

type InHand = OutgoingMessage & { mail: MailFacts };

/** The platform allows 6 connections an invocation; smtp.md: at most 4 of them for SMTP. */
const CONNECTIONS = 4;

/** How often a slow delivery settles and renews its lease, against a lease of two minutes. */
const HEARTBEAT_MS = 30_000;

/**
 * Delivers everything a ledger claims over at most four connections: claim, send, settle, in one
 * write a group. Throws what the ledger throws; what was claimed and not settled by then stays in
 * the ledger as in flight.
 */
export async function deliverAll(app: App, sender: Sender, ledger: Ledger): Promise<void> {
  const queue: ClaimedMail[] = [];
  const settled: SettledMail[] = [];
  const inHand = new Set<MailFacts>();
  let drained = false;
  let step: Promise<void> = Promise.resolve();
  let fault: unknown;

  const advance = (claimMore: boolean): Promise<void> => {
    const run = async () => {
      if (claimMore && (queue.length > 0 || drained)) return; // another connection was faster
      const more = await ledger.advance(settled.splice(0), [...inHand], claimMore);
      for (const claimed of more) inHand.add(claimed.mail);
      queue.push(...more);
      if (claimMore) drained = more.length === 0;
    };
    step = step.then(run); // one at a time: the ledger's writes are in order
    return step;
  };

  const finish = (mail: MailFacts, outcome: SettledMail["outcome"]) => {
    inHand.delete(mail);
    settled.push({ mail, outcome });
  };

  const take = async (): Promise<InHand | undefined> => {
    for (;;) {
      const claimed = queue.shift();
      if (!claimed && drained) return undefined;
      if (!claimed) {
        await advance(true);
        continue;
      }
      const { mail, next } = claimed;
      const made = "decided" in next ? next.decided : await compose(mail, next.compose);
      if ("data" in made) return { ...made, mail };
      finish(mail, { main: made, copies: [] });
    }
  };

  const heartbeat = setInterval(() => {
    advance(false).catch((error: unknown) => (fault ??= error));
  }, HEARTBEAT_MS);
  try {
    await sendOverConnections<InHand>({
      settings: sender.smtp,
      sockets: app.sockets,
      timeouts: DEFAULT_SMTP_TIMEOUTS,
      maxConnections: CONNECTIONS,
      take: () => {
        if (fault) throw fault;
        return take();
      },
      settle: ({ mail }, result) => finish(mail, outcomesOf(mail.to.address, result)),
    });
  } finally {
    clearInterval(heartbeat);
  }
  // A heartbeat's write may still be under way, with the last outcomes in it.
  await (settled.length > 0 ? advance(false) : step);
}

/** A mail that cannot be written (a broken header, HTML no parser takes) fails alone. */
async function compose(mail: MailFacts, make: () => Promise<OutgoingMessage>) {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return failed(mail.to.address, error.message);
  }
}
