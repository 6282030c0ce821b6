import type { Idempotency } from "../../../idempotency/index.ts";
import type { Ctx } from "../../../../context.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { openSender } from "../../../projects/index.ts";
import { requireRoom } from "../../../storage/index.ts";
import type { OpenHit } from "../../../limits/index.ts";
import { limitsOf } from "../../../sending/index.ts";
import { recallOperation } from "../../operations/recall-operation.ts";
import { settleAbandonedSend } from "../../operations/sweep-operations.ts";
import { withoutRecipient } from "../../settle.ts";
import type { SendSession } from "../../servers/send-over-servers.ts";
import type { SendAnswer } from "../answers.ts";
import { composeMail } from "../../compose.ts";
import { deliverDirectly, deliverSingle } from "./deliver-single.ts";
import { renderInput } from "./render-input.ts";
import type { SendFacts } from "./send-facts.ts";
import type { SendInput } from "./send-input.ts";
import { skipSuppressedCopies } from "./skip-suppressed-copies.ts";

export interface SendOptions {
  idempotency?: Idempotency | undefined;
  /** Sends the message in place of the project's hub. */
  send?: SendSession | undefined;
  /** The one server that may take the mail. Without it, both may. */
  servers?: "first" | "fallback" | undefined;
  /** The hit of the call, to be counted with the send. */
  hit?: OpenHit | undefined;
  /** True for a pending mail, which may wait while its server is slow. */
  isPending?: boolean | undefined;
}

/**
 * Sends one mail and logs its outcome. Authorised by the route (`send:transactional`).
 * D1: one write in addition to the read that supplied `facts`. An Idempotency-Key adds one write,
 * the claim before SMTP.
 * Throws 400 (settings, template, headers), not_found, 409, rate_limited, 503
 * if the storage is full, and SlowServer for a pending mail.
 */
export async function sendMail(
  ctx: Ctx,
  project: ProjectRow,
  input: SendInput,
  facts: SendFacts,
  options: SendOptions = {},
): Promise<SendAnswer> {
  const { deps } = ctx;
  const { idempotency, send, servers, hit, isPending } = options;
  const recalled = await recallOperation(ctx, idempotency, facts.operation);
  // `finishOperation` stored the answer of a send.
  if (recalled.kind === "answered") return recalled.result as SendAnswer;
  if (recalled.kind === "abandoned")
    return settleAbandonedSend(deps, recalled.claim, recalled.operation);

  requireRoom(deps, facts.storage);
  const sender = await openSender(deps, project, servers);
  const { suppressed, erased } = facts;
  const rendered = await renderInput(deps, project, input, facts);
  const { mail, skipped } = skipSuppressedCopies(rendered, suppressed);
  const logId = deps.newId();
  // If the mail cannot be composed, it is refused before anything is claimed.
  const { id: projectId } = project;
  const feedback = { templateId: mail.templateId, projectId };
  const addressing = { ...mail, projectId, logId, from: sender.from, feedback };
  const message = await composeMail(deps, addressing, mail.rendered);
  const known = { ...mail, logId, subject: mail.rendered.subject, tags: mail.extras.tags };
  const ready = {
    mail: erased.has(mail.to.address) ? withoutRecipient(known) : known,
    message,
    isSuppressed: suppressed.has(mail.to.address),
    skipped: skipped.map((email) => (erased.has(email) ? "" : email)),
    idempotency,
  };
  const sending = limitsOf(project);
  const dispatch = { project, sending, sender, mail: ready, hit, isPending };
  return send ? deliverDirectly(ctx, dispatch, send) : deliverSingle(ctx, dispatch);
}
