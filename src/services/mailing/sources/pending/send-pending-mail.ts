import type { Deps } from "../../../../deps.ts";
import { systemContext } from "../../../../context.ts";
import { runBatch } from "../../../../db/client.ts";
import { AppError, notFound, refusal } from "../../../../errors.ts";
import { sha256Hex } from "../../../../lib/hash.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { takeSubscriberMail } from "../../../limits/index.ts";
import { selectProject } from "../../../projects/index.ts";
import {
  attemptPendingMail,
  holdBackPendingMail,
  mayConfirm,
  PENDING_LIFE_MS,
  putOffPendingMail,
  removePendingMail,
  sendKeyOf,
  WELCOMES,
  type PendingMail,
  type SubscriberRow,
} from "../../../subscribers/index.ts";
import type { MailTemplate } from "../../../templates/index.ts";
import { confirmationUrl, dataUrl } from "../../../tracking/index.ts";
import type { SendAnswer } from "../../../../project-object.ts";
import { factsOf, sendReads } from "../single/send-facts.ts";
import { sendMail, type SendOptions } from "../single/send-mail.ts";
import { grantingTemplate, confirmationTemplate } from "./granting-templates.ts";
import { holdWhileFull, isFinal, type Deferral } from "./hold-back.ts";
import { sendScheduledMail } from "./send-scheduled-mail.ts";
import { sendServiceMail } from "./send-service-mail.ts";

/**
 * The result of an attempt at a pending mail. A mail that is `put_off` is tried again when it is
 * due. A mail that a limit, full storage or a slow server has `held_back` is tried again, or its
 * outcome looked at, after `waitMs`.
 */
export type PendingMailResult =
  | { kind: "logged"; answer: SendAnswer }
  | { kind: "put_off"; answer: SendAnswer }
  | Deferral
  | { kind: "dropped"; mail: PendingMail; error: AppError }
  | { kind: "nothing_pending" };

/** A pending mail that can never be sent. */
type Dropped = Extract<PendingMailResult, { kind: "dropped" }>;

/** The refusals of a limit, or of a sender that is busy: the mail waits. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

/** Hands a mail to the sender. */
type Deliver = NonNullable<SendOptions["deliver"]>;

/**
 * Sends a pending mail: one of the service itself, one to a subscriber, or a scheduled one. A
 * subscriber who has left gets only the link to their data.
 * Sends it at most once, for any number of calls. Removes its row when the log has the outcome, or
 * when there can never be one. A transient failure is logged, too. The mail then stays pending
 * under a new id, and therefore under an Idempotency-Key that no attempt has used. A first attempt
 * respects the limits of mail that strangers may cause (`takeSubscriberMail`), which count each
 * mail once, however long the mail server makes it wait. The mail is dropped if it would have to
 * wait for 23 hours, so that a flood of joins does not fill a mailbox for weeks. Throws 409 while
 * another worker has the mail in hand, and passes on any other error. In both cases the mail stays,
 * and the sweep retries it.
 */
export async function sendPendingMail(
  deps: Deps,
  pendingMailId: string,
  deliver: Deliver,
): Promise<PendingMailResult> {
  const attempt = await attemptPendingMail(deps, pendingMailId);
  if (attempt.kind === "done") return { kind: "nothing_pending" };
  const result = await deliverPending(deps, attempt.mail, deliver);
  if (result.kind === "held_back") await holdBackPendingMail(deps, pendingMailId, result);
  else
    await (result.kind === "put_off" ? putOffPendingMail : removePendingMail)(deps, pendingMailId);
  return result;
}

async function deliverPending(
  deps: Deps,
  mail: PendingMail,
  deliver: Deliver,
): Promise<PendingMailResult> {
  try {
    const answer = await sendOne(deps, mail, deliver);
    if (answer.kind === "held_back" || answer.kind === "dropped") return answer;
    // A scheduled mail is tried once, like any send.
    const isTransient =
      mail.kind !== "scheduled" && answer.kind === "refused" && answer.failure === "transient";
    return { kind: isTransient ? "put_off" : "logged", answer };
  } catch (error) {
    if (isFinal(error)) return { kind: "dropped", mail, error };
    if (error instanceof AppError && BUSY.has(error.status)) {
      const waitMs = (error.details.retryAfterSeconds ?? 1) * 1_000;
      return { kind: "held_back", waitMs, isCounted: mail.kind === "subscriber" };
    }
    throw error;
  }
}

function sendOne(
  deps: Deps,
  mail: PendingMail,
  deliver: Deliver,
): Promise<SendAnswer | Deferral | Dropped> {
  const { kind } = mail;
  if (kind === "subscriber") return sendSubscriberMail(deps, mail, deliver);
  if (kind === "scheduled") return sendScheduledMail(deps, mail, deliver);
  return sendServiceMail(deps, { ...mail, kind }, deliver);
}

async function sendSubscriberMail(
  deps: Deps,
  mail: PendingMail,
  deliver: Deliver,
): Promise<SendAnswer | Deferral | Dropped> {
  const { projectId, subscriberId } = mail;
  const templateId = mail.templateId ?? undefined;
  const templateName = mail.templateName ?? undefined;
  const key = sendKeyOf(mail.id);
  const needs = { templateId, templateName, subscriberId, emails: [], idempotencyKey: key };
  const [[project], ...reads] = await runBatch(deps.db, [
    selectProject(deps.db, projectId),
    ...sendReads(deps, projectId, needs),
  ]);
  if (!project) throw notFound("project");
  const ctx = systemContext(deps, "pending_mail");
  const facts = factsOf(reads);
  const held = holdWhileFull(deps, facts);
  if (held) return held;
  const isFirstAttempt = mail.attempts === 1 && !facts.operation;
  const isCounted = isFirstAttempt && mail.data?.["after"] !== "confirmation";
  if (isCounted && facts.subscriber) {
    const { allowed, resetMs } = await takeSubscriberMail(ctx, projectId, facts.subscriber.email);
    if (!allowed && resetMs >= PENDING_LIFE_MS)
      return { kind: "dropped", mail, error: refusal("mailbox_limit_reached", {}) };
    if (!allowed) return { kind: "held_back", waitMs: resetMs };
  }
  // A mail that an earlier attempt has in hand, or has sent, is not composed again.
  const isNew = facts.operation === undefined;
  const granting =
    isNew && facts.subscriber ? await grantBy(deps, project, mail, facts.subscriber) : undefined;
  const input = {
    shape: "subscriber",
    subscriberId,
    templateName,
    isPublic: mail.isPublic,
    subject: undefined,
    // The built-in mails name the project as the sender.
    data: { product_name: project.name, ...granting?.data },
    ...(granting ? { granting: granting.template } : {}),
  } as const;
  const idempotency = { key, requestHash: sha256Hex(key) };
  return sendMail(ctx, project, input, facts, { idempotency, deliver });
}

interface Granting {
  template: MailTemplate;
  data: Record<string, string>;
}

/**
 * Returns the template and the link of a mail whose link grants something; undefined for any other.
 * Throws suppressed for a subscriber who has left, unless the mail has the link to their data, and
 * for one who has nothing to confirm.
 */
async function grantBy(
  deps: Deps,
  project: ProjectRow,
  mail: PendingMail,
  subscriber: SubscriberRow,
): Promise<Granting | undefined> {
  if (mail.data?.["link"] === "data")
    return {
      template: grantingTemplate(project, "data"),
      data: { data_url: await dataUrl(deps, project.id, subscriber) },
    };
  const { status } = subscriber;
  if (status === "unsubscribed") throw refusal("subscriber_left", {});
  const welcome = WELCOMES.find((one) => one === mail.data?.["confirm"]);
  if (!welcome) return undefined;
  if (status !== "pending" && !(await mayConfirm(deps, subscriber)))
    throw refusal("nothing_to_confirm", { status });
  return {
    template: await confirmationTemplate(deps, project, mail),
    data: { confirm_url: await confirmationUrl(deps, project.id, subscriber, welcome) },
  };
}
