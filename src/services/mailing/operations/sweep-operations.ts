import type { Deps } from "../../../deps.ts";
import { runBatch } from "../../../db/client.ts";
import { newLease } from "../../../db/lease.ts";
import { logLine } from "../../../lib/log-line.ts";
import type { SendAnswer } from "../../../project-object.ts";
import { IDEMPOTENCY_LIFE_MS } from "./recall-operation.ts";
import { failed, OUTCOME_UNKNOWN } from "../outcome.ts";
import { recordStatements } from "../record.ts";
import {
  deleteOperationsBefore,
  finishOperation,
  operationHeld,
  selectAbandoned,
  takeOverOperation,
  type Claim,
  type OperationRow,
} from "./operation-queries.ts";

/** The number of operations that one run of the sweep ends. */
const OPERATIONS_PER_RUN = 20;

/**
 * Ends a single send whose worker died. The fate of the mail is unknown, so the log records it
 * as failed with "outcome unknown". The mail is never sent again.
 */
export async function recordAbandonedSend(
  deps: Deps,
  claim: Claim,
  operation: OperationRow,
): Promise<SendAnswer> {
  const { projectId, inFlight } = operation;
  const id = inFlight[0]?.logId ?? operation.id;
  const answer: SendAnswer = { kind: "refused", id, error: OUTCOME_UNKNOWN };
  const mails = inFlight.map(({ toEmail, ...mail }) => ({
    mail: { ...mail, tags: null, broadcastId: null },
    outcome: { main: failed(toEmail, OUTCOME_UNKNOWN), copies: [] },
  }));
  await runBatch(deps.db, [
    ...recordStatements(deps, projectId, mails, operationHeld(claim)),
    finishOperation(deps.db, claim, answer),
  ]);
  return answer;
}

/** Ends sends whose workers died. Runs every minute. Returns how many it ended. */
export async function sweepAbandoned(deps: Deps): Promise<number> {
  const now = deps.now();
  const abandoned = await selectAbandoned(deps.db, now, OPERATIONS_PER_RUN);
  for (const found of abandoned) {
    const lease = newLease(deps);
    const [operation] = await takeOverOperation(deps.db, found, lease, now);
    if (!operation) continue; // another worker was faster
    const { id: operationId, projectId } = operation;
    logLine("warn", "send_abandoned", { operationId, projectId });
    await recordAbandonedSend(deps, { operationId, leaseToken: lease.leaseToken }, operation);
  }
  return abandoned.length;
}

/** The limits of one night's removal, in steps of a size that D1 handles easily. */
const FORGET_STEPS = 20;
const FORGET_ROWS_PER_STEP = 500;

/** Deletes operations whose Idempotency-Key no longer returns an answer. */
export async function forgetOperations(deps: Deps): Promise<void> {
  const before = deps.now() - IDEMPOTENCY_LIFE_MS;
  for (let step = 0; step < FORGET_STEPS; step++) {
    const removed = await deleteOperationsBefore(deps.db, before, FORGET_ROWS_PER_STEP);
    if (removed.meta.changes < FORGET_ROWS_PER_STEP) return;
  }
}
