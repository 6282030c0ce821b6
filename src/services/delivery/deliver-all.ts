import type { App } from "../../app.ts";
import { AppError } from "../../errors.ts";
import {
  DEFAULT_SMTP_TIMEOUTS,
  sendOverConnections,
  type OutgoingMessage,
  type SessionPool,
} from "../../mail/smtp/index.ts";
import type { Sender } from "../projects/index.ts";
import { heartbeatMs } from "./lease.ts";
import { failed, outcomesOf, type AddressOutcome } from "./outcome.ts";
import type { MailFacts, SettledMail } from "./settle.ts";

/** A claimed mail: what is to be sent, or, where that is known without SMTP (suppressed), its outcome. */
export interface ClaimedMail {
  mail: MailFacts;
  next: { compose: () => Promise<OutgoingMessage> } | { decided: AddressOutcome };
}

/**
 * The book that makes a long delivery survive a crash.
 * `advance` settles finished mails, keeps `inHand` written down and claims up to `count` more (0: none),
 * all in one atomic write; it throws when the lease was lost.
 * `hasMore` is false when there is nothing left to claim; a claim may then still be empty.
 */
export interface Ledger {
  advance(settled: SettledMail[], inHand: MailFacts[], count: number): Promise<ClaimedMail[]>;
  hasMore(): boolean;
}

/** Decision D25: at most so many outcomes are unknown after a crash. */
const UNKNOWN_MAX = 50;

/** More are claimed when no more than these wait, so that sessions have work while D1 answers. */
const CLAIM_AT = 8;

type InHand = OutgoingMessage & { mail: MailFacts };

/** The platform allows 6 connections an invocation; smtp.md: at most 4 of them for SMTP. */
const CONNECTIONS = 4;

/**
 * Delivers everything a ledger claims over at most four connections. Each write settles what is
 * finished and claims the next mails while those before are being sent. Throws what the ledger
 * throws; what was claimed and not settled by then stays in the ledger as in flight. With a `pool`
 * the sessions are those that an earlier delivery of this invocation left in it.
 */
export async function deliverAll(
  app: App,
  sender: Sender,
  ledger: Ledger,
  pool?: SessionPool,
): Promise<void> {
  const queue: ClaimedMail[] = [];
  const settled: SettledMail[] = [];
  const inHand = new Set<MailFacts>();
  let step: Promise<void> = Promise.resolve();
  let claiming: Promise<void> | undefined;
  let fault: unknown;

  const advance = (mayClaim: boolean): Promise<void> => {
    const run = async () => {
      const count = mayClaim ? UNKNOWN_MAX - inHand.size : 0;
      const more = await ledger.advance(settled.splice(0), [...inHand], count);
      for (const claimed of more) inHand.add(claimed.mail);
      queue.push(...more);
    };
    step = step.then(run); // one at a time: the ledger's writes are in order
    return step;
  };

  const claimMore = (): Promise<void> =>
    (claiming ??= advance(true).finally(() => {
      claiming = undefined;
    }));

  const noteFault = (error: unknown) => void (fault ??= error);

  const finish = (mail: MailFacts, outcome: SettledMail["outcome"]) => {
    inHand.delete(mail);
    settled.push({ mail, outcome });
  };

  const take = async (): Promise<InHand | undefined> => {
    for (;;) {
      const claimed = queue.shift();
      if (queue.length <= CLAIM_AT && ledger.hasMore()) claimMore().catch(noteFault);
      if (!claimed) {
        if (!claiming) return undefined;
        await claiming;
        continue;
      }
      const { mail, next } = claimed;
      const made = "decided" in next ? next.decided : await compose(mail, next.compose);
      if ("data" in made) return { ...made, mail };
      finish(mail, { main: made, copies: [] });
    }
  };

  const heartbeat = setInterval(() => {
    advance(false).catch(noteFault);
  }, heartbeatMs(app));
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
      pool,
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
