import type { Idempotency } from "../../../idempotency/index.ts";
import { isTestKey, type Ctx } from "../../../../context.ts";
import { notFound } from "../../../../errors.ts";
import { withHeaders } from "../../../../mail/custom-headers.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { openSender, requireSender } from "../../../projects/index.ts";
import { requireRoom } from "../../../storage/index.ts";
import type { OpenHit } from "../../../limits/index.ts";
import { limitsOf } from "../../../sending/index.ts";
import { recallOperation } from "../../operations/recall-operation.ts";
import { recordAbandonedSend } from "../../operations/sweep-operations.ts";
import { withoutRecipient } from "../../record.ts";
import type { SendAnswer } from "../../../../project-object.ts";
import { composeMail } from "../../compose.ts";
import type { SendCall } from "../../../../project-object.ts";
import { callSender } from "./call-sender.ts";
import { fetchFiles } from "./fetch-files.ts";
import { renderInput } from "./render-input.ts";
import type { SendFacts } from "./send-facts.ts";
import type { SendInput } from "./send-input.ts";
import { skipSuppressed } from "./skip-suppressed.ts";

export interface SendOptions {
  idempotency?: Idempotency | undefined;
  /** Hands the mail to the sender. Without it, a call of the project's object does. */
  deliver?: ((call: SendCall) => Promise<SendAnswer>) | undefined;
  /** The one server that may take the mail. Without it, both may. */
  servers?: "first" | "fallback" | undefined;
  /** The hit of the call, to be counted with the send. */
  hit?: OpenHit | undefined;
  /** The id of the mail and of its log entry, if it has one already. */
  logId?: string;
  /** True if no server is to get the mail; by default, if the caller has a test key. */
  isTest?: boolean;
}

/**
 * Sends one mail and logs its outcome. Authorized by the route (`send:transactional`).
 * D1: one write in addition to the read that supplied `facts`. An Idempotency-Key adds one write,
 * the claim before SMTP.
 * Throws 400 (settings, template, headers), not_found, 409, sender_not_allowed,
 * attachment_not_fetched, rate_limited, and 503 if the storage is full or the sender busy.
 */
export async function sendMail(
  ctx: Ctx,
  project: ProjectRow,
  input: SendInput,
  facts: SendFacts,
  options: SendOptions = {},
): Promise<SendAnswer> {
  const { deps } = ctx;
  const { idempotency, deliver, hit } = options;
  const recalled = await recallOperation(ctx, idempotency, facts.operation);
  // `finishOperation` stored the answer of a send.
  if (recalled.kind === "answered") return recalled.result as SendAnswer;
  if (recalled.kind === "abandoned")
    return recordAbandonedSend(deps, recalled.claim, recalled.operation);

  const call = await makeCall(ctx, project, input, facts, options);
  return deliver ? deliver(call) : callSender(ctx, project, call, hit);
}

/**
 * Composes a mail, with everything that the sender needs to send and log it. Throws the refusals of
 * `sendMail` that come before the sender is called.
 */
export async function makeCall(
  { deps, actor }: Ctx,
  project: ProjectRow,
  input: SendInput,
  facts: SendFacts,
  { idempotency, servers, hit, logId = deps.newId(), isTest = isTestKey(actor) }: SendOptions,
): Promise<SendCall> {
  requireRoom(deps, facts.storage);
  const sender = await openSender(deps, project, servers);
  if ("extras" in input) requireSender(project, sender.from.address, input.extras.from?.address);
  const { suppressed, erased, topic } = facts;
  if (input.topicId !== topic?.id) throw notFound("topic");
  const optedOut = [...(topic?.optedOut ?? [])].filter((email) => !suppressed.has(email));
  const unmailable = new Set([...suppressed, ...optedOut]);
  const { input: mailable, skipped } = skipSuppressed(input, unmailable);
  const rendered = await renderInput(deps, project, mailable, facts);
  const extras = await fetchFiles(deps, rendered.extras);
  const headers = withHeaders(extras.headers, sender.from.headers?.send);
  const mail = { ...rendered, extras: { ...extras, headers } };
  // If the mail cannot be composed, it is refused before anything is claimed.
  const { id: projectId } = project;
  const feedback = { templateId: mail.templateId, projectId };
  const { tracking: own, broadcastUtm } = input;
  const tracking = [mail.templateTracking, own];
  const settings = { from: sender.from, tracking, broadcastUtm };
  const addressing = { ...mail, projectId, logId, feedback, topic, ...settings };
  const message = await composeMail(deps, addressing, mail.rendered);
  const { to, templateId, subscriberId } = mail;
  const { subject } = mail.rendered;
  const { tags } = mail.extras;
  const known = { logId, to, subject, tags, templateId, subscriberId, isTest };
  const { smtp, fallback, suppressOnAny5xx } = sender;
  return {
    projectId,
    hit: hit?.hit,
    smtp,
    fallback,
    sending: limitsOf(project),
    suppressOnAny5xx,
    mail: erased.has(to.address) ? withoutRecipient(known) : known,
    envelope: message.envelope,
    parts: message.data.portableParts(),
    isSuppressed: unmailable.has(to.address),
    skipped: skipped.map((email) => (erased.has(email) ? "" : email)),
    optedOut,
    idempotency,
  };
}
