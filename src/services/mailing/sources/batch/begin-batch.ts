import type { Idempotency } from "../../../idempotency/index.ts";
import { isTestKey, type Ctx } from "../../../../context.ts";
import type { TrackingSwitches } from "../../../../lib/tracking-switches.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { openSender, requireSender, wakeSenders } from "../../../projects/index.ts";
import { requireRoom } from "../../../storage/index.ts";
import { checkTemplate, requireBody, subjectOf } from "../../../templates/index.ts";
import type { Mailbox } from "../../../../mail/address.ts";
import type { OperationRow } from "../../operations/operation-queries.ts";
import { claimKey, recallOperation, stillRunning } from "../../operations/recall-operation.ts";
import { requireAhead } from "../scheduled/schedule-time.ts";
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
  from: Mailbox | undefined;
  recipients: BatchRecipient[];
  /** When it is due, if not now. */
  scheduledAt: number | undefined;
}

/** A batch that a request has stored, perhaps for a later time, or one that is over. */
export type BegunBatch =
  | { kind: "stored"; id: string; scheduledAt?: number | undefined }
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
 * Throws 400 (settings, a template without a body, a subject that does not parse, a time that is not
 * ahead), not_found (template), sender_not_allowed, 409, and 503 if the storage is full.
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
  const { recipients, from, scheduledAt } = input;
  if (scheduledAt !== undefined) requireAhead(deps.now(), scheduledAt);
  requireRoom(deps, facts.storage);
  const template = requireTemplate(facts);
  const { subject: ownSubject, htmlBody, textBody } = template;
  requireBody({ html: htmlBody, text: textBody });
  subjectOf(template, input.subject); // refuses one that does not parse
  const sender = await openSender(deps, project);
  requireSender(project, sender.from.address, from?.address);
  const { subject = ownSubject, preheader = template.previewText ?? "" } = input;
  checkTemplate({ preheader });
  const tracking = { ...template.tracking, ...input.tracking };
  const bodies = { subject, htmlBody, textBody, preheader, tracking };
  const content = { projectId: project.id, templateId: template.id, ...bodies };
  const id = deps.newId();
  const batch: NewBatch = { ...content, id, from, scheduledAt, isTest: isTestKey(ctx.actor) };
  const result = scheduledAt === undefined ? null : { scheduledAt };
  const operation = { id, projectId: project.id, kind: "batch", result } as const;
  const claim = claimKey(deps, operation, idempotency);
  const isStored = await storeBatch(deps, batch, recipients, claim);
  if (!isStored) throw stillRunning("batch", ASK_AGAIN_MS);
  // A sender that runs once sets its alarm for a batch that is due later.
  if (isAsync || scheduledAt !== undefined) await wakeSenders(deps, [project.id]);
  return { kind: "stored", id, scheduledAt };
}

/**
 * Returns the batch of an Idempotency-Key; one for a later time as it was stored. Throws 409 while
 * the batch runs and a request waits for it.
 */
async function recallBatch(
  ctx: Ctx,
  project: ProjectRow,
  { id, result }: OperationRow,
  isAsync: boolean,
): Promise<BegunBatch> {
  // `beginBatch` stored the time.
  if (result) return { kind: "stored", id, scheduledAt: Number(result["scheduledAt"]) };
  if (isAsync) return { kind: "stored", id };
  const answer = await getBatch(ctx, project, id);
  if (answer.state !== "done") throw stillRunning("batch", ASK_AGAIN_MS);
  return { kind: "answered", id, answer };
}
