import type { Deps } from "../../deps.ts";
import { heartbeatMs, renewing } from "../../db/lease.ts";
import {
  Breaker,
  MESSAGES_IN_HAND_MAX,
  notSent,
  SmtpConnectError,
  TIME_IS_OVER,
  type OutgoingMessage,
  type RecipientResult,
  type ServerResult,
} from "../../mail/smtp/index.ts";
import type { Sender } from "../projects/index.ts";
import type { BulkLine } from "./bulk-line.ts";
import {
  type ClaimQueue,
  finishMail,
  keepFault,
  openClaimQueue,
  settleInBackground,
  settleRest,
  takeMail,
} from "./claim-queue.ts";
import type { Ledger } from "./ledger.ts";
import { signOfResult } from "./read-sign.ts";
import { failed, outcomesOf, withEarlier, type MailOutcome } from "./outcome.ts";

/** The part of a sender that a delivery needs. */
type SendsAs = Omit<Sender, "from">;

/**
 * Delivers everything that a ledger claims. Each write settles finished mails and claims the next
 * ones while earlier ones are being sent. A mail that a limit makes wait long is settled as held
 * back. Once `isOver` returns true, the delivery begins no mail and gives back those that it has
 * not handed over. Throws the errors of the ledger. Claimed mails that are not settled by then stay
 * in flight in the ledger.
 */
export async function deliverAll(
  deps: Deps,
  sender: Sender,
  ledger: Ledger,
  line: BulkLine,
  isOver = () => false,
  patienceMs = 0,
): Promise<void> {
  const queue = openClaimQueue({ ledger, line, isOver });
  const heartbeat = setInterval(() => settleInBackground(queue), heartbeatMs(deps));
  const breaker = new Breaker(patienceMs);
  try {
    const loops = Array.from({ length: MESSAGES_IN_HAND_MAX }, () =>
      sendAll(queue, sender, breaker),
    );
    await Promise.allSettled(loops);
    await Promise.all(loops); // throws the first error, after all have ended
  } finally {
    clearInterval(heartbeat);
  }
  await settleRest(queue); // a heartbeat's write with the last outcomes may still be running
}

/** Sends one mail after another until none is left. One of several loops. */
async function sendAll(queue: ClaimQueue, sender: Sender, breaker: Breaker): Promise<void> {
  try {
    for (let taken = await takeMail(queue); taken; taken = await takeMail(queue)) {
      const { mail } = taken;
      const { result, role, earlier } = await sendBulk(queue, sender, breaker, taken);
      const isGivenBack = queue.isOver() && result.recipients.every(isNotSent);
      const sign = isGivenBack ? undefined : signOfResult(result);
      if (sign) queue.line.saw(sign);
      const outcome = outcomesOf(mail.to.address, result, sender, role);
      const { main, copies } = withEarlier(outcome, earlier);
      const back = { ...main, isGivenBack, isUnbegun: !queue.hasBegun };
      finishMail(queue, mail, { main: isGivenBack ? back : main, copies });
    }
  } catch (error) {
    keepFault(queue, error);
    throw error;
  }
}

/** Sends one message. Tries again while no session opens, until the breaker trips. */
async function sendBulk(
  { line, isOver }: ClaimQueue,
  sender: Sender,
  breaker: Breaker,
  message: OutgoingMessage,
): Promise<ServerResult> {
  for (;;) {
    const reason = breaker.reason ?? (isOver() ? TIME_IS_OVER : undefined);
    if (reason) return { result: notSent(message, reason), role: sender.smtp.role };
    try {
      const sent = await line.pool.send(message, sender, { isBulk: true, isOver });
      breaker.finished(sent.result);
      return sent;
    } catch (error) {
      if (!(error instanceof SmtpConnectError)) throw error;
      if (!isOver()) await breaker.openFailed(error);
    }
  }
}

const isNotSent = ({ outcome }: RecipientResult) => outcome === "not_sent";

/**
 * Delivers the one mail that a ledger claims: claim, SMTP, settle. It renews the claim while servers
 * are slow. `send` throws SmtpConnectError when there is no session for it.
 * Throws the errors of the ledger.
 */
export async function deliverOne(
  deps: Deps,
  sender: SendsAs,
  ledger: Ledger,
  send: (message: OutgoingMessage) => Promise<ServerResult>,
): Promise<void> {
  const [claimed] = await ledger.advance([], [], 1);
  if (!claimed) return;
  const { mail, next } = claimed;
  const outcome =
    "decided" in next
      ? { main: next.decided, copies: [] }
      : await renewing(
          deps.config.leaseMs,
          () => ledger.advance([], [mail], 0),
          async () => sendSingle(sender, await next.compose(), mail.to.address, send),
        );
  await ledger.advance([{ mail, outcome }], [], 0);
}

async function sendSingle(
  sender: SendsAs,
  message: OutgoingMessage,
  to: string,
  send: (message: OutgoingMessage) => Promise<ServerResult>,
): Promise<MailOutcome> {
  try {
    const { result, role, earlier } = await send(message);
    return withEarlier(outcomesOf(to, result, sender, role), earlier);
  } catch (error) {
    if (!(error instanceof SmtpConnectError)) throw error;
    const copies = message.envelope.to.filter((email) => email !== to);
    return {
      main: { ...failed(to, error.message), isTransient: error.temporary },
      copies: copies.map((email) => failed(email, error.message)),
    };
  }
}
