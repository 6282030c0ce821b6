import type { Idempotency } from "../../../idempotency/index.ts";
import type { Ctx } from "../../../../context.ts";
import { leaseEnd } from "../../../../db/lease.ts";
import type { OutgoingMessage } from "../../../../mail/smtp/index.ts";
import type { ClaimedMail, Ledger } from "../../ledger.ts";
import { updateHeldOperation, type Claim } from "../../operations/operation-queries.ts";
import { beginOperation } from "../../operations/recall-operation.ts";
import { failed, OUTCOME_UNKNOWN, suppressedOutcome, type MailOutcome } from "../../outcome.ts";
import { inFlightOf, type MailFacts } from "../../settle.ts";
import { settleNowOrLater, type SingleSettle } from "../../settle-later.ts";
import type { SendAnswer } from "../answers.ts";

/** One mail that is ready to send. */
export interface ReadyMail {
  mail: Omit<MailFacts, "broadcastId">;
  message: OutgoingMessage;
  isSuppressed: boolean;
  /** The suppressed addresses that were removed from cc and bcc. */
  skipped: string[];
  idempotency: Idempotency | undefined;
}

/** The error of a copy of a mail that was not sent. */
const UNSENT_COPY = "the address in `to` is on the suppression list, so the mail was not sent";

/** The ledger of one mail, with the answer to its send once the mail is settled. */
export interface SingleLedger extends Ledger {
  answer: () => SendAnswer;
}

/**
 * Creates the ledger of one mail. With an Idempotency-Key, the claim is an operation. Without a
 * key, no request can repeat the send, so there is nothing to claim. `settle` stores or queues the
 * outcome.
 */
export function singleLedger(
  ctx: Ctx,
  projectId: string,
  { mail: facts, message, isSuppressed, skipped, idempotency }: ReadyMail,
  settle = (settled: SingleSettle) => settleNowOrLater(ctx.deps, settled),
): SingleLedger {
  const mail: MailFacts = { ...facts, broadcastId: null };
  const { deps } = ctx;
  const { logId, to } = mail;
  const [, ...copiesOf] = message.envelope.to; // the first is that of `to`
  const unsent = isSuppressed ? copiesOf.map((email) => failed(email, UNSENT_COPY)) : [];
  let claim: Claim | undefined;
  let isClaimed = false;
  let answer: SendAnswer = { kind: "refused", id: logId, error: OUTCOME_UNKNOWN };

  const claimMail = async (): Promise<ClaimedMail[]> => {
    isClaimed = true;
    if (idempotency) claim = await beginOperation(ctx, projectId, idempotency, inFlightOf(mail));
    const next = isSuppressed
      ? { decided: suppressedOutcome(to.address) }
      : { compose: () => Promise.resolve(message) };
    return [{ mail, next }];
  };

  const renewClaim = async (): Promise<ClaimedMail[]> => {
    if (claim) await updateHeldOperation(deps.db, claim, { leaseUntil: leaseEnd(deps) });
    return [];
  };

  return {
    answer: () => answer,
    hasMore: () => !isClaimed,
    async advance([settled], _inHand, count) {
      if (!settled) return count > 0 ? claimMail() : renewClaim();
      const { main, copies } = settled.outcome;
      const outcome = { main, copies: [...copies, ...unsent, ...skipped.map(suppressedOutcome)] };
      answer = answerOf(logId, outcome);
      const operation = claim ? { claim, answer } : null;
      await settle({ projectId, mail, outcome, operation });
      return [];
    },
  };
}

function answerOf(id: string, { main }: MailOutcome): SendAnswer {
  if (main.status === "sent") return { kind: "sent", id };
  if (main.status === "suppressed") return { kind: "suppressed", id };
  const refused = { kind: "refused", id, error: main.error ?? "" } as const;
  return main.isTransient ? { ...refused, failure: "transient" } : refused;
}
