import type { Deps } from "../../deps.ts";
import { heartbeatMs, renewing } from "../../db/lease.ts";
import {
  DEFAULT_SMTP_TIMEOUTS,
  sendOne,
  SmtpConnectError,
  type OutgoingMessage,
  type RecipientResult,
  type SmtpTimeouts,
} from "../../mail/smtp/index.ts";
import type { Sign } from "../../lib/permits/permit-messages.ts";
import type { Sender } from "../projects/index.ts";
import type { SendingLine } from "../sending/index.ts";
import {
  closeClaims,
  finishMail,
  openClaimQueue,
  settleInBackground,
  settleRest,
  takeMail,
  type InHand,
} from "./claim-queue.ts";
import type { Ledger } from "./ledger.ts";
import { signOfOpening, signOfResult } from "./read-sign.ts";
import { failed, outcomesOf, withEarlier, type MailOutcome } from "./outcome.ts";
import { sendOverServers, type SendSession } from "./servers/send-over-servers.ts";
import { shipOverServers } from "./servers/ship-over-servers.ts";

/** The part of a sender that a delivery needs. */
type SendsAs = Omit<Sender, "from">;

/** Returns the deadline of a delivery that has none. */
const NEVER = () => Number.POSITIVE_INFINITY;

/**
 * Delivers everything that a ledger claims, over the connections for which the line has permits.
 * Each write settles finished mails and claims the next ones while earlier ones are being sent. A
 * mail without a permit is settled as held back. From `deadline` on (a time in milliseconds), the
 * delivery begins no mail and gives back those that it has not handed over. Reuses the sessions
 * that an earlier delivery left in the line. Throws the errors of the ledger. Claimed mails that
 * are not settled by then stay in flight in the ledger.
 */
export async function deliverAll(
  deps: Deps,
  sender: Sender,
  ledger: Ledger,
  line: SendingLine,
  deadline: () => number = NEVER,
  patienceMs = 0,
): Promise<void> {
  const isOver = () => deps.now() >= deadline();
  const queue = openClaimQueue({ ledger, line, now: deps.now, isOver });
  const heartbeat = setInterval(() => settleInBackground(queue), heartbeatMs(deps));
  try {
    await shipOverServers<InHand>(deps, sender, {
      sockets: deps.sockets,
      timeouts: timeoutsUntil(deps, deadline),
      maxConnections: () => line.connections,
      take: (interrupted) => takeMail(queue, interrupted),
      isOver,
      pool: line.pool,
      settle({ mail }, { result, role, earlier }) {
        const isGivenBack = isOver() && result.recipients.every(isNotSent);
        if (!isGivenBack) note(line, signOfResult(result));
        const outcome = outcomesOf(mail.to.address, result, sender, role);
        const { main, copies } = withEarlier(outcome, earlier);
        const back = { ...main, isGivenBack, isUnbegun: !queue.hasBegun };
        finishMail(queue, mail, { main: isGivenBack ? back : main, copies });
      },
      patienceMs,
      async openFailed(error, others, role) {
        const sign = role !== "first" || others > 0 ? signOfOpening(error, others) : undefined;
        note(line, sign);
        if (sign) await line.refresh(); // idle sessions of single mails make room
      },
    });
  } finally {
    clearInterval(heartbeat);
    closeClaims(queue);
  }
  await settleRest(queue); // a heartbeat's write with the last outcomes may still be running
}

const note = (line: SendingLine, sign: Sign | undefined) => {
  if (sign) line.saw(sign);
};
const isNotSent = ({ outcome }: RecipientResult) => outcome === "not_sent";

/**
 * The time by which a limit may exceed the deadline, so that the deadline has passed when the limit
 * ends.
 */
const PAST_DEADLINE_MS = 50;

/**
 * Returns time limits whose phases before the hand-over of a mail end at a deadline. Once a mail is
 * handed over, the session waits for the answer for the usual time.
 */
function timeoutsUntil({ now }: Deps, deadline: () => number): SmtpTimeouts {
  const left = (most: number) => Math.min(most, Math.max(0, deadline() - now()) + PAST_DEADLINE_MS);
  const { connectMs, greetingToAuthMs, messageMs, afterDataMs, quitMs } = DEFAULT_SMTP_TIMEOUTS;
  return {
    get connectMs() {
      return left(connectMs);
    },
    get greetingToAuthMs() {
      return left(greetingToAuthMs);
    },
    get messageMs() {
      return left(messageMs);
    },
    afterDataMs,
    quitMs,
  };
}

/**
 * Delivers the one mail that a ledger claims: claim, SMTP, settle. It renews the claim while servers
 * are slow. Without `send`, the mail gets its own connection.
 * Throws the errors of the ledger.
 */
export async function deliverOne(
  deps: Deps,
  sender: SendsAs,
  ledger: Ledger,
  send: SendSession = (settings, message) =>
    sendOne(settings, deps.sockets, message, DEFAULT_SMTP_TIMEOUTS, deps.waitUntil),
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
          async () => sendSingle(deps, sender, await next.compose(), { to: mail.to.address, send }),
        );
  await ledger.advance([{ mail, outcome }], [], 0);
}

async function sendSingle(
  deps: Deps,
  sender: SendsAs,
  message: OutgoingMessage,
  { to, send }: { to: string; send: SendSession },
): Promise<MailOutcome> {
  try {
    const { result, role, earlier } = await sendOverServers(deps, sender, message, send);
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
