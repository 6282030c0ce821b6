import type { Deps } from "../../deps.ts";
import { runBatch, type Statement } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { SettleMessage } from "../../queues/messages.ts";
import { finishOperation, operationHeld, type Claim } from "./operations/operation-queries.ts";
import type { LoggedOutcomes } from "./outcome.ts";
import { runSettle } from "./run-settle.ts";
import { loggedSubject, settleStatements, type LoggedMail } from "./settle.ts";
import type { SendAnswer } from "./sources/answers.ts";
import { withoutErased } from "./without-erased.ts";
import { cutText } from "../../lib/cut-text.ts";

/** The longest error that is queued. A message of a queue has at most 128 KB. */
const MAX_ERROR_CHARACTERS = 500;

/** A single mail with its outcome, and the operation that waits for the answer, if any. */
export interface SingleSettle {
  projectId: string;
  mail: LoggedMail;
  outcome: LoggedOutcomes;
  operation: { claim: Claim; answer: SendAnswer } | null;
}

/**
 * Settles a single mail. The mail is already sent, so an error would make the caller send it again.
 * If D1 fails for some seconds, a queue therefore keeps the settle (`settleLate`).
 * Throws D1's error if the queue fails, too.
 */
export async function settleNowOrLater(deps: Deps, settle: SingleSettle): Promise<void> {
  try {
    const { settling, last } = statementsOf(deps, settle);
    await runSettle(deps, settling, last, "seconds");
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { logId } = settle.mail;
    logLine("error", "settle_queued", { logId, error: errorText(error) });
    await enqueue(deps, settle, error);
  }
}

/**
 * Records a queued settle. However often the message arrives, the settle counts, logs and notifies
 * once. It does nothing if another worker has taken over the operation and logged the outcome as
 * unknown. It stores nothing about a person who was erased in the meantime.
 * Throws D1's error.
 */
export async function settleLate(deps: Deps, message: SettleMessage): Promise<void> {
  const { projectId, at, mail, outcome, operation } = message;
  const settle: SingleSettle = {
    projectId,
    ...(await withoutErased(deps, projectId, {
      mail: { ...mail, broadcastId: null },
      // `settleNowOrLater` queued the outcome and the answer of a send.
      outcome: outcome as LoggedOutcomes,
    })),
    operation: operation && { ...operation, answer: operation.answer as SendAnswer },
  };
  const { settling, last } = statementsOf({ ...deps, now: () => at }, settle);
  await runBatch(deps.db, [...settling, ...last]);
}

/**
 * Returns the statements that settle single mails of one project. Mails without an operation are
 * settled together and share their totals. Each of the others is settled under its own claim.
 */
export function statementsOfAll(deps: Deps, settles: SingleSettle[]): Statement[] {
  const [first, ...others] = settles.filter(({ operation }) => !operation);
  const held = settles.filter(({ operation }) => operation);
  return [
    ...(first ? settleStatements(deps, first.projectId, [first, ...others]) : []),
    ...held.flatMap((settle) => {
      const { settling, last } = statementsOf(deps, settle);
      return [...settling, ...last];
    }),
  ];
}

function statementsOf(deps: Deps, { projectId, mail, outcome, operation }: SingleSettle) {
  const held = operation ? operationHeld(operation.claim) : undefined;
  return {
    settling: settleStatements(deps, projectId, [{ mail, outcome }], held),
    last: operation ? [finishOperation(deps.db, operation.claim, operation.answer)] : [],
  };
}

async function enqueue(deps: Deps, settle: SingleSettle, fault: unknown): Promise<void> {
  try {
    await queueSettle(deps, settle);
  } catch (error) {
    const { logId } = settle.mail;
    logLine("error", "settle_queue_refused", { logId, error: errorText(error) });
    throw fault;
  }
}

/** Puts a settle into the queue, for now or for later. Throws the queue's error. */
export async function queueSettle(
  { wakeQueue, now }: Deps,
  { projectId, mail, outcome, operation }: SingleSettle,
  delaySeconds = 0,
): Promise<void> {
  const { logId, tags, templateId, subscriberId } = mail;
  const message: SettleMessage = {
    type: "settle",
    projectId,
    at: now(),
    mail: { logId, subject: loggedSubject(mail), tags, templateId, subscriberId },
    outcome: { main: shortened(outcome.main), copies: outcome.copies.map(shortened) },
    operation,
  };
  await wakeQueue.send(message, { delaySeconds });
}

function shortened<Outcome extends { error: string | null }>(outcome: Outcome): Outcome {
  const { error } = outcome;
  return { ...outcome, error: error === null ? null : cutText(error, MAX_ERROR_CHARACTERS) };
}
