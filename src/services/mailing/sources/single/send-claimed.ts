import type { Idempotency } from "../../../idempotency/index.ts";
import type { Ctx } from "../../../../context.ts";
import { leaseEnd, renewing } from "../../../../db/lease.ts";
import {
  SmtpConnectError,
  type OutgoingMessage,
  type ServerResult,
} from "../../../../mail/smtp/index.ts";
import { OPTED_OUT } from "../../../email-log/index.ts";
import { updateHeldOperation, type Claim } from "../../operations/operation-queries.ts";
import { beginOperation } from "../../operations/recall-operation.ts";
import {
  failed,
  final,
  optedOutOutcome,
  outcomesOf,
  suppressedOutcome,
  type AddressOutcome,
  type MailOutcome,
} from "../../outcome.ts";
import { inFlightOf, type MailFacts } from "../../record.ts";
import type { SingleOutcome } from "../../record-later.ts";
import type { SendAnswer } from "../../../../project-object.ts";

/** One mail that is ready to send. */
export interface ReadyMail {
  projectId: string;
  mail: Omit<MailFacts, "broadcastId">;
  message: OutgoingMessage;
  isSuppressed: boolean;
  /** The suppressed addresses that were removed from to, cc and bcc. */
  skipped: string[];
  /** Those of the suppressed addresses that only lack the consent to the topic of the mail. */
  optedOut: string[];
  suppressOnAny5xx: boolean;
  idempotency: Idempotency | undefined;
}

/** How a mail leaves. `send` throws SmtpConnectError when there is no session for it. */
export interface Way {
  send: (message: OutgoingMessage) => Promise<ServerResult>;
  /** Stores or queues the outcome. */
  record: (record: SingleOutcome) => Promise<void>;
}

/** Returns the error of a copy of a mail that was not sent, because of its main address. */
const unsentCopy = ({ error }: AddressOutcome) => `the mail was not sent: in \`to\`, ${error}`;

/**
 * Claims, sends and records one mail, and returns the answer to its send. With an Idempotency-Key,
 * the claim is an operation, renewed while servers are slow. Without a key, no request can repeat
 * the send, so there is nothing to claim. Throws the errors of the claim.
 */
export async function sendClaimed(ctx: Ctx, ready: ReadyMail, way: Way): Promise<SendAnswer> {
  const { projectId, idempotency, skipped } = ready;
  const mail: MailFacts = { ...ready.mail, broadcastId: null };
  const claim =
    idempotency && (await beginOperation(ctx, projectId, idempotency, inFlightOf(mail)));
  const { main, copies, retry } = await whileClaimed(ctx, claim, () => outcomeOf(ready, way));
  const outcome = { main, copies: [...copies, ...skipped.map((email) => unmailed(ready, email))] };
  const answer = answerOf(mail.logId, { ...outcome, retry });
  await way.record({ projectId, mail, outcome, operation: claim ? { claim, answer } : null });
  return answer;
}

const whileClaimed = <T>({ deps }: Ctx, claim: Claim | undefined, work: () => Promise<T>) =>
  claim
    ? renewing(
        deps.config.leaseMs,
        () => updateHeldOperation(deps.db, claim, { leaseUntil: leaseEnd(deps) }),
        work,
      )
    : work();

const unmailed = ({ optedOut }: ReadyMail, email: string): AddressOutcome =>
  optedOut.includes(email) ? optedOutOutcome(email) : suppressedOutcome(email);

async function outcomeOf(ready: ReadyMail, way: Way): Promise<MailOutcome> {
  const { mail, message, isSuppressed } = ready;
  const to = mail.to.address;
  const [, ...copies] = message.envelope.to; // the first is that of `to`
  if (isSuppressed) {
    const main = unmailed(ready, to);
    return { ...final(main), copies: copies.map((email) => failed(email, unsentCopy(main))) };
  }
  try {
    return outcomesOf(to, await way.send(message), ready);
  } catch (error) {
    if (!(error instanceof SmtpConnectError)) throw error;
    const { message: why, reason: said, temporary } = error;
    return {
      main: failed(to, why),
      copies: copies.map((email) => failed(email, why)),
      retry: temporary ? { kind: "no_session", isLoginRefused: false, said } : null,
    };
  }
}

function answerOf(id: string, { main, retry }: MailOutcome): SendAnswer {
  if (main.status === "sent") return { kind: "sent", id };
  if (main.status === "suppressed")
    return { kind: "suppressed", id, ...(main.error === OPTED_OUT ? { isOptedOut: true } : {}) };
  const refused = { kind: "refused", id, error: main.error ?? "" } as const;
  return retry ? { ...refused, failure: "transient" } : refused;
}
