import type { Deps } from "../../deps.ts";
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

/**
 * A claimed mail with the message to send, or with its outcome if that is known without SMTP
 * (suppressed).
 */
export interface ClaimedMail {
  mail: MailFacts;
  next: { compose: () => Promise<OutgoingMessage> } | { decided: AddressOutcome };
}

/**
 * The record that lets a long delivery survive a crash. `advance` settles finished mails, keeps
 * `inHand` recorded and claims up to `count` more (0: none), all in one atomic write. It throws
 * when the lease was lost. `hasMore` is false when there is nothing left to claim. A claim may be
 * empty even while `hasMore` is true.
 */
export interface Ledger {
  advance(settled: SettledMail[], inHand: MailFacts[], count: number): Promise<ClaimedMail[]>;
  hasMore(): boolean;
}

/** The largest number of unknown outcomes after a crash (decision D25). */
const UNKNOWN_MAX = 50;

/** The queue length at which to claim more, so sessions have work while D1 answers. */
const CLAIM_AT = 8;

type InHand = OutgoingMessage & { mail: MailFacts };

/**
 * The SMTP connections of one delivery. The platform allows 6 per invocation; smtp.md allows at
 * most 4 of them for SMTP.
 */
const CONNECTIONS = 4;

/**
 * Delivers everything that a ledger claims, over at most four connections. Each write settles
 * finished mails and claims the next ones while earlier ones are being sent. With a `pool`, reuses
 * the sessions that an earlier delivery of this invocation left in it.
 * Throws the errors of the ledger. Claimed mails that are not settled by then stay in flight in the
 * ledger.
 */
export async function deliverAll(
  deps: Deps,
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
  }, heartbeatMs(deps));
  try {
    await sendOverConnections<InHand>({
      settings: sender.smtp,
      sockets: deps.sockets,
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
  // A heartbeat's write with the last outcomes may still be running.
  await (settled.length > 0 ? advance(false) : step);
}

/**
 * Composes one mail. A mail that cannot be composed (a broken header, invalid HTML) fails alone.
 */
async function compose(mail: MailFacts, make: () => Promise<OutgoingMessage>) {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return failed(mail.to.address, error.message);
  }
}
