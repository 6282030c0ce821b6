import type { Deps } from "../../../../deps.ts";
import { runBatch } from "../../../../db/client.ts";
import { conflict } from "../../../../errors.ts";
import { insertFailures } from "../../../broadcasts/index.ts";
import {
  finishOperation,
  operationHeld,
  updateHeldOperation,
} from "../../operations/operation-queries.ts";
import { outcomesLeft } from "../../operations/outcomes-left.ts";
import type { Recalled } from "../../operations/recall-operation.ts";
import { settleAbandonedBatch } from "../../operations/sweep-operations.ts";
import type { Counts } from "../answers.ts";
import { addOutcomes } from "./batch-failures.ts";
import type { BatchRecipient } from "./batch-recipient.ts";
import { storeBatch, type BegunBatch, type NewBatch } from "./store-batch.ts";

/**
 * Continues a batch of an earlier version, which did not store its recipients: stores those that
 * its worker had not claimed. Mails that the worker had in hand count as failed.
 */
export async function continueOldBatch(
  deps: Deps,
  content: Omit<NewBatch, "id" | keyof Counts>,
  recipients: BatchRecipient[],
  { claim, operation }: Extract<Recalled, { kind: "abandoned" }>,
  isAsync: boolean,
): Promise<BegunBatch> {
  await settleAbandonedBatch(deps, claim, operation, false);
  const { id, nextIndex: first } = operation;
  const { failures, ...counts } = addOutcomes(operation, outcomesLeft(operation));
  const rest = recipients.slice(first);
  if (rest.length === 0) {
    await runBatch(deps.db, [finishOperation(deps.db, claim, { ...counts, failures })]);
    return { kind: "answered", id, answer: { ...counts, failures } };
  }
  const held = operationHeld(claim);
  const keep = insertFailures(deps.db, id, { id: deps.newId(), failures }, held);
  const close = updateHeldOperation(deps.db, claim, { state: "done", failures: null });
  const around = { before: [], when: held, after: [keep, close] };
  const batch = { ...content, ...counts, id };
  const stored = await storeBatch(deps, batch, { recipients: rest, first }, !isAsync, around);
  if (!stored) throw conflict("this batch was taken over by another worker");
  return stored;
}
