import type { Ctx } from "../../../../context.ts";
import type { Deps } from "../../../../deps.ts";
import { sha256Hex } from "../../../../lib/hash.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { openSender } from "../../../projects/index.ts";
import { requireRoom } from "../../../storage/index.ts";
import { requireBody, subjectOf } from "../../../templates/index.ts";
import { signText } from "../../../tracking/index.ts";
import { SendingLine } from "../../../sending/index.ts";
import { deliverAll } from "../../deliver.ts";
import { finishOperation, type OperationRow } from "../../operations/operation-queries.ts";
import {
  beginOperation,
  recallOperation,
  type Idempotency,
} from "../../operations/recall-operation.ts";
import { outcomesLeft } from "../../operations/outcomes-left.ts";
import { settleAbandonedBatch } from "../../operations/sweep-operations.ts";
import { prepareMail } from "../../prepare.ts";
import { runSettle } from "../../run-settle.ts";
import type { BatchAnswer, Counts } from "../answers.ts";
import { requireTemplate, type SendFacts } from "../single/send-facts.ts";
import { addOutcomes } from "./batch-failures.ts";
import {
  batchLedger,
  NOTHING_DONE,
  type BatchProgress,
  type BatchRecipient,
} from "./batch-ledger.ts";

/** The time for which a batch waits for a connection that others hold. */
const LINE_WAIT_MS = 60_000;

export interface BatchInput {
  templateId: string;
  subject: string | undefined;
  recipients: BatchRecipient[];
}

/**
 * Sends a template to many addresses and counts the outcomes. Records every group before SMTP: one
 * D1 round trip for 8 to 16 mails. A repeated request with the
 * Idempotency-Key of a batch whose worker died continues that batch. Authorised by the route
 * (`send:transactional`).
 * Throws bad_request (settings, a template without a body or with HTML that cannot be parsed, a
 * subject that does not parse), not_found (template), conflict, and unavailable if the storage is
 * full.
 */
export async function sendBatch(
  ctx: Ctx,
  project: ProjectRow,
  input: BatchInput,
  facts: SendFacts,
  idempotency: Idempotency | undefined,
): Promise<BatchAnswer> {
  const { deps } = ctx;
  // Before the takeover of an abandoned batch: its lease would keep the next request waiting.
  if (facts.operation?.state !== "done") requireRoom(deps, facts.storage);
  const recalled = await recallOperation(ctx, idempotency, facts.operation);
  // `finishOperation` stored the answer. An old answer lacks the field `failures`.
  if (recalled.kind === "answered") return { failures: [], ...(recalled.result as Counts) };
  const template = requireTemplate(facts);
  requireBody({ html: template.htmlBody, text: template.textBody });
  const toSubject = subjectOf(template, input.subject);
  const sender = await openSender(deps, project);
  const prepared = await prepareMail(template, {
    secret: await marksSecret(deps, template.version),
    isToSubscribers: false,
  });
  const { claim, progress } =
    recalled.kind === "abandoned"
      ? { claim: recalled.claim, progress: progressOf(recalled.operation) }
      : {
          claim: await beginOperation(ctx, project.id, "batch", idempotency, []),
          progress: { ...NOTHING_DONE },
        };
  if (recalled.kind === "abandoned")
    await settleAbandonedBatch(deps, claim, recalled.operation, false);
  const { recipients, subject = template.subject } = input;
  const content = { template, prepared, subject, toSubject, from: sender.from };
  const ledger = batchLedger(deps, { projectId: project.id, recipients, content, claim }, progress);
  const line = new SendingLine(deps);
  try {
    await line.openWithin(project, LINE_WAIT_MS);
    await deliverAll(deps, sender, ledger, line);
  } finally {
    await line.close();
  }
  const { nextIndex: _done, ...answer } = progress;
  await runSettle(deps, [], [finishOperation(deps.db, claim, answer)]);
  return answer;
}

/** Returns the secret of a template's marks: every batch of the template finds its parts compiled. */
async function marksSecret(deps: Deps, version: string): Promise<string> {
  return sha256Hex(await signText(deps, "marks", version)).slice(0, 16);
}

/** Returns the progress of a batch whose worker died. What it had in hand counts as failed. */
function progressOf(operation: OperationRow): BatchProgress {
  const { nextIndex } = operation;
  return { nextIndex, ...addOutcomes(operation, outcomesLeft(operation)) };
}
