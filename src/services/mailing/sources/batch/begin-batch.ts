import type { Idempotency } from "../../../idempotency/index.ts";
import { isTestKey, type Ctx } from "../../../../context.ts";
import type { TrackingSwitches } from "../../../../lib/tracking-switches.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { openSender, wakeSenders } from "../../../projects/index.ts";
import { requireRoom } from "../../../storage/index.ts";
import { checkTemplate, requireBody, subjectOf } from "../../../templates/index.ts";
import type { OperationRow } from "../../operations/operation-queries.ts";
import { claimKey, recallOperation, stillRunning } from "../../operations/recall-operation.ts";
import { requireTemplate, type SendFacts } from "../single/send-facts.ts";
import type { NewBatch } from "./batch-queries.ts";
import type { BatchRecipient } from "./batch-recipient.ts";
import { getBatch, type BatchReport } from "./read-batch.ts";
import { storeBatch } from "./store-batch.ts";

export interface BatchInput {
  templateId: string;
  subject: string | undefined;
  tracking?: TrackingSwitches | undefined;
  preheader?: string | undefined;
  recipients: BatchRecipient[];
}

/** A batch that a request has stored, or one that is over. */
export type BegunBatch =
  | { kind: "stored"; id: string }
  | { kind: "answered"; id: string; answer: BatchReport };

/** The options of a request for its batch. */
export interface BatchMode {
  idempotency: Idempotency | undefined;
  /** True if the request does not wait for the outcomes. */
  isAsync: boolean;
}

/** The time that a client should wait before it asks again for the answer to a batch. */
const ASK_AGAIN_MS = 5_000;

/**
 * Stores a batch, or finds the one that an earlier request with the same Idempotency-Key began.
 * Authorized by the route (`send:transactional`).
 * Throws 400 (settings, a template without a body, a subject that does not parse), not_found
 * (template), 409, and 503 if the storage is full.
 */
export async function beginBatch(
  ctx: Ctx,
  project: ProjectRow,
  input: BatchInput,
  facts: SendFacts,
  { idempotency, isAsync }: BatchMode,
): Promise<BegunBatch> {
  const { deps } = ctx;
  const recalled = await recallOperation(ctx, idempotency, facts.operation);
  if (recalled.kind === "answered" && facts.operation)
    return recallBatch(ctx, project, facts.operation, isAsync);
  requireRoom(deps, facts.storage);
  const template = requireTemplate(facts);
  const { subject: ownSubject, htmlBody, textBody } = template;
  requireBody({ html: htmlBody, text: textBody });
  subjectOf(template, input.subject); // refuses one that does not parse
  await openSender(deps, project);
  const { recipients, subject = ownSubject, preheader = template.previewText ?? "" } = input;
  checkTemplate({ preheader });
  const tracking = { ...template.tracking, ...input.tracking };
  const bodies = { subject, htmlBody, textBody, preheader, tracking };
  const content = { projectId: project.id, templateId: template.id, ...bodies };
  const batch: NewBatch = { ...content, id: deps.newId(), isTest: isTestKey(ctx.actor) };
  const operation = { id: batch.id, projectId: project.id, kind: "batch" } as const;
  const claim = claimKey(deps, operation, idempotency);
  const isStored = await storeBatch(deps, batch, recipients, claim);
  if (!isStored) throw stillRunning("batch", ASK_AGAIN_MS);
  if (isAsync) await wakeSenders(deps, [project.id]);
  return { kind: "stored", id: batch.id };
}

/**
 * Returns the batch of an Idempotency-Key. Throws 409 while the batch runs and a request waits
 * for it.
 */
async function recallBatch(
  ctx: Ctx,
  project: ProjectRow,
  { id }: OperationRow,
  isAsync: boolean,
): Promise<BegunBatch> {
  if (isAsync) return { kind: "stored", id };
  const answer = await getBatch(ctx, project, id);
  if (answer.state !== "done") throw stillRunning("batch", ASK_AGAIN_MS);
  return { kind: "answered", id, answer };
}
