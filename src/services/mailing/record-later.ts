import type { Deps } from "../../deps.ts";
import { runBatch, type Statement } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { OutcomeMessage } from "../../queues/messages.ts";
import { finishOperation, operationHeld, type Claim } from "./operations/operation-queries.ts";
import type { LoggedOutcomes } from "./outcome.ts";
import { loggedSubject, recordStatements, type LoggedMail } from "./record.ts";
import type { SendAnswer } from "../../project-object.ts";
import { withoutErased } from "./without-erased.ts";
import { cutText } from "../../lib/cut-text.ts";

/** The longest error that is queued. A message of a queue has at most 128 KB. */
const MAX_ERROR_CHARACTERS = 500;

/** A single mail with its outcome, and the operation that waits for the answer, if any. */
export interface SingleOutcome {
  projectId: string;
  mail: LoggedMail;
  outcome: LoggedOutcomes;
  operation: { claim: Claim; answer: SendAnswer } | null;
}

/**
 * Records a queued outcome. However often the message arrives, it counts, logs and notifies
 * once. It does nothing if another worker has taken over the operation and logged the outcome as
 * unknown. It stores nothing about a person who was erased in the meantime.
 * Throws D1's error.
 */
export async function recordLate(deps: Deps, message: OutcomeMessage): Promise<void> {
  const { projectId, at, mail, outcome, operation } = message;
  const record: SingleOutcome = {
    projectId,
    ...(await withoutErased(deps, projectId, {
      mail: { ...mail, broadcastId: null },
      // `queueOutcome` queued the outcome and the answer of a send.
      outcome: outcome as LoggedOutcomes,
    })),
    operation: operation && { ...operation, answer: operation.answer as SendAnswer },
  };
  await runBatch(deps.db, statementsOf({ ...deps, now: () => at }, [record]));
}

/**
 * Returns the statements that record single mails of one project. Mails without an operation are
 * recorded together and share their totals. Each of the others is recorded under its own claim.
 */
export function statementsOf(deps: Deps, records: SingleOutcome[]): Statement[] {
  const [first, ...others] = records.filter(({ operation }) => !operation);
  return [
    ...(first ? recordStatements(deps, first.projectId, [first, ...others]) : []),
    ...records.flatMap((record) => {
      const { projectId, operation } = record;
      if (!operation) return [];
      const { claim, answer } = operation;
      return [
        ...recordStatements(deps, projectId, [record], operationHeld(claim)),
        finishOperation(deps.db, claim, answer),
      ];
    }),
  ];
}

/**
 * Keeps the outcome of a mail that could not be recorded because of `fault` in a queue. Throws
 * `fault` if the queue fails, too, and at once if it is a refusal.
 */
export async function recordByQueue(
  deps: Deps,
  record: SingleOutcome,
  fault: unknown,
): Promise<void> {
  if (fault instanceof AppError) throw fault;
  const { logId } = record.mail;
  logLine("error", "outcome_queued", { logId, error: errorText(fault) });
  try {
    await queueOutcome(deps, record);
  } catch (error) {
    logLine("error", "outcome_queue_refused", { logId, error: errorText(error) });
    throw fault;
  }
}

/** Puts an outcome into the queue, for now or for later. Throws the queue's error. */
export async function queueOutcome(
  { wakeQueue, now }: Deps,
  { projectId, mail, outcome, operation }: SingleOutcome,
  delaySeconds = 0,
): Promise<void> {
  const { logId, tags, templateId, subscriberId, isTest } = mail;
  const message: OutcomeMessage = {
    type: "outcome",
    projectId,
    at: now(),
    mail: { logId, subject: loggedSubject(mail), tags, templateId, subscriberId, isTest },
    outcome: { main: shortened(outcome.main), copies: outcome.copies.map(shortened) },
    operation,
  };
  await wakeQueue.send(message, { delaySeconds });
}

function shortened<Outcome extends { error: string | null }>(outcome: Outcome): Outcome {
  const { error } = outcome;
  return { ...outcome, error: error === null ? null : cutText(error, MAX_ERROR_CHARACTERS) };
}
