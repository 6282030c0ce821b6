import type { Ctx } from "../../context.ts";
import { optionalRead, runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import { parseEmailAddress } from "../../mail/address.ts";
import type { TrackingSwitches } from "../../lib/tracking-switches.ts";
import type { ProjectRow } from "../access/index.ts";
import { isUnknown, OPTED_OUT, type LogRow } from "../email-log/index.ts";
import { selectPendingTo, type PendingMail } from "../subscribers/index.ts";
import { NO_EXTRAS } from "./compose.ts";
import type { Idempotency } from "../idempotency/index.ts";
import type { SendAnswer } from "../../project-object.ts";
import { factsOf, sendReads, type SendFacts } from "./sources/single/send-facts.ts";
import type { SendInput } from "./sources/single/send-input.ts";
import { sendMail } from "./sources/single/send-mail.ts";

/** The parts of a mail that the log does not keep, and the caller's consent to a duplicate. */
export interface ResendInput {
  subject: string | undefined;
  data: Record<string, unknown>;
  tracking: TrackingSwitches | undefined;
  /** True if the mail may be sent although the first one went out, or may have. */
  mayArriveTwice: boolean;
}

/**
 * Sends a logged mail again: its template, as it is now, to the same recipient. Without
 * `mayArriveTwice`, it does so only if the earlier attempt certainly delivered nothing. With
 * `idempotency`, a repeated call gets the first answer. Throws the reason why a mail cannot be
 * sent again, and the errors of `sendMail`.
 */
export async function resendMail(
  ctx: Ctx,
  project: ProjectRow,
  entry: LogRow,
  input: ResendInput,
  idempotency: Idempotency,
): Promise<SendAnswer> {
  const { deps } = ctx;
  if (entry.error === OPTED_OUT) throw refusal("opted_out", {});
  const templateId = templateOf(entry);
  if (!input.mayArriveTwice) requireNotSent(entry);
  const mail = mailOf(entry, input);
  const needs = {
    templateId,
    subscriberId: entry.subscriberId ?? undefined,
    emails: [entry.toEmail],
    idempotencyKey: idempotency.key,
  };
  const [pending, ...reads] = await runBatch(deps.db, [
    optionalRead(needs.subscriberId, (id) => selectPendingTo(deps.db, project.id, id)),
    ...sendReads(deps, project.id, needs),
  ]);
  const facts = factsOf(reads);
  if (!facts.operation) {
    requireRecipient(entry, facts);
    const [[template]] = reads;
    if (!input.mayArriveTwice) requireNonePending(pending, { templateId, name: template?.name });
  }
  return sendMail(ctx, project, mail, facts, { idempotency });
}

/**
 * Returns the template of a mail. Throws mail_of_broadcast and mail_content_not_kept for others than
 * single mails made from a template.
 */
function templateOf({ automationId, broadcastId, templateId }: LogRow): string {
  if (automationId !== null) throw refusal("mail_content_not_kept", {});
  if (broadcastId !== null) throw refusal("mail_of_broadcast", {});
  if (templateId === null) throw refusal("mail_content_not_kept", {});
  return templateId;
}

function requireNotSent(entry: LogRow): void {
  if (entry.status === "sent") throw refusal("mail_accepted", {});
  if (isUnknown(entry)) throw refusal("mail_outcome_unknown", {});
}

/** Throws mail_still_tried while the service itself tries to send a mail with the template. */
function requireNonePending(
  pending: Pick<PendingMail, "templateId" | "templateName">[],
  { templateId, name }: { templateId: string; name: string | undefined },
): void {
  if (pending.some((mail) => mail.templateId === templateId || mail.templateName === name))
    throw refusal("mail_still_tried", {});
}

function mailOf(
  { toEmail, subscriberId, tags }: LogRow,
  { subject, data, tracking }: ResendInput,
): SendInput {
  if (subscriberId !== null) return { shape: "subscriber", subscriberId, subject, data, tracking };
  const to = parseEmailAddress(toEmail);
  if (!to.ok) throw refusal("address_not_usable", { reason: to.fault });
  // `appendLog` wrote the tags.
  const kept = tags === null ? null : (JSON.parse(tags) as Record<string, string>);
  const extras = { ...NO_EXTRAS, tags: kept };
  return {
    shape: "template",
    to: { name: "", address: to.address },
    subject,
    data,
    tracking,
    extras,
  };
}

function requireRecipient({ toEmail, subscriberId }: LogRow, facts: SendFacts): void {
  const { template, subscriber, suppressed } = facts;
  if (!template) throw refusal("template_gone", {});
  if (subscriberId !== null && !subscriber) throw refusal("subscriber_gone", {});
  if (suppressed.has(subscriber?.email ?? toEmail)) throw refusal("address_suppressed", {});
}
