import type { Ctx } from "../../context.ts";
import {
  DEFAULT_SMTP_TIMEOUTS,
  sendOne,
  SmtpConnectError,
  type OutgoingMessage,
  type SmtpTimeouts,
} from "../../mail/smtp/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { openSender, type Sender } from "../projects/index.ts";
import { settleAbandonedSend } from "./abandoned.ts";
import type { SendAnswer } from "./answers.ts";
import { composeMail } from "./compose-mail.ts";
import { contentOf, withoutSuppressedCopies, type SendInput } from "./draft.ts";
import { beginOperation, recallOperation, type Idempotency } from "./idempotency.ts";
import { failed, outcomesOf, suppressedOutcome, type MailOutcome } from "./outcome.ts";
import { finishOperation, operationHeld, type Claim } from "./queries.ts";
import { runSettle } from "./run-settle.ts";
import type { SendFacts } from "./send-facts.ts";
import { inFlightOf, settleStatements, type MailFacts } from "./settle.ts";

export interface SendOptions {
  idempotency?: Idempotency | undefined;
  timeouts?: SmtpTimeouts;
}

/**
 * Sends one mail and logs its outcome. Authorised by the route (`send:transactional`).
 * D1: one write in addition to the read that supplied `facts`. An Idempotency-Key adds one write,
 * the claim before SMTP.
 * Throws bad_request (settings, template, headers), not_found, suppressed (inactive subscriber),
 * conflict.
 */
export async function sendMail(
  ctx: Ctx,
  project: ProjectRow,
  input: SendInput,
  facts: SendFacts,
  options: SendOptions = {},
): Promise<SendAnswer> {
  const { deps } = ctx;
  const { idempotency, timeouts = DEFAULT_SMTP_TIMEOUTS } = options;
  const recalled = await recallOperation(ctx, idempotency, facts.operation);
  // `finishOperation` stored the answer of a send.
  if (recalled.kind === "answered") return recalled.result as SendAnswer;
  if (recalled.kind === "abandoned")
    return settleAbandonedSend(deps, recalled.claim, recalled.operation);

  const sender = await openSender(deps, project);
  const { content, skipped } = withoutSuppressedCopies(
    contentOf(deps, project, input, facts),
    facts.suppressed,
  );
  const mail = { ...content, logId: deps.newId(), from: sender.from, broadcastId: null };
  const message = await composeMail(deps, mail);
  const claim = idempotency
    ? await beginOperation(ctx, project.id, "send", idempotency, [inFlightOf(mail)])
    : undefined;
  const outcome = facts.suppressed.has(mail.to.address)
    ? { main: suppressedOutcome(mail.to.address), copies: [] }
    : await deliver(ctx, sender, message, mail.to.address, timeouts);
  outcome.copies.push(...skipped.map(suppressedOutcome));
  return settle(ctx, project.id, mail, outcome, claim);
}

async function deliver(
  ctx: Ctx,
  sender: Sender,
  message: OutgoingMessage,
  to: string,
  timeouts: SmtpTimeouts,
): Promise<MailOutcome> {
  try {
    const { sockets, waitUntil } = ctx.deps;
    return outcomesOf(to, await sendOne(sender.smtp, sockets, message, timeouts, waitUntil));
  } catch (error) {
    if (!(error instanceof SmtpConnectError)) throw error;
    return { main: { ...failed(to, error.message), isTransient: error.temporary }, copies: [] };
  }
}

async function settle(
  ctx: Ctx,
  projectId: string,
  mail: MailFacts,
  outcome: MailOutcome,
  claim: Claim | undefined,
): Promise<SendAnswer> {
  const { deps } = ctx;
  const answer = answerOf(mail.logId, outcome);
  const held = claim && operationHeld(claim);
  const settling = settleStatements(deps, projectId, [{ mail, outcome }], held);
  await runSettle(deps, settling, claim ? [finishOperation(deps.db, claim, answer)] : []);
  return answer;
}

function answerOf(id: string, { main }: MailOutcome): SendAnswer {
  if (main.status === "sent") return { kind: "sent", id };
  if (main.status === "suppressed") return { kind: "suppressed", id };
  const refused = { kind: "refused", id, error: main.error ?? "" } as const;
  return main.isTransient ? { ...refused, failure: "transient" } : refused;
}
