import { isTestKey, type Ctx } from "../../../../context.ts";
import { runBatchAfter } from "../../../../db/client.ts";
import { isNotNullViolation } from "../../../../db/constraint-violation.ts";
import { notFound } from "../../../../errors.ts";
import type { SendAnswer } from "../../../../project-object.ts";
import type { ProjectRow } from "../../../access/index.ts";
import type { Idempotency } from "../../../idempotency/index.ts";
import { wakeSenders } from "../../../projects/index.ts";
import { noteStored } from "../../../storage/index.ts";
import { claimKey, recallOperation, stillRunning } from "../../operations/recall-operation.ts";
import { loggedSubject } from "../../record.ts";
import { callSender } from "../single/call-sender.ts";
import { fetchFiles } from "../single/fetch-files.ts";
import type { SendFacts } from "../single/send-facts.ts";
import { makeCall } from "../single/send-mail.ts";
import { skipSuppressed } from "../single/skip-suppressed.ts";
import { insertScheduled, scheduledEvent } from "./scheduled-queries.ts";
import { requireAhead } from "./schedule-time.ts";
import { sealSend, type WholeSend } from "./stored-send.ts";

/** A mail that waits for its time. Its id will be that of its log entry. */
export interface ScheduledMail {
  kind: "scheduled";
  id: string;
  scheduledAt: number;
}

/**
 * Stores a send for a later time, in the outbox of its project. It is composed now to refuse what
 * could never be sent, and again when it is due, with the template, the subscriber and the
 * suppressions of that time; its files are fetched now. A recipient that is suppressed already is
 * answered and logged like that of any send. Authorized by the route (`send:transactional`). Throws
 * what `sendMail` throws before it sends, invalid_request for the time, and
 * scheduled_mail_too_large.
 */
export async function scheduleMail(
  ctx: Ctx,
  project: ProjectRow,
  send: WholeSend,
  facts: SendFacts,
  { at, idempotency }: { at: number; idempotency: Idempotency | undefined },
): Promise<ScheduledMail | SendAnswer> {
  const { deps } = ctx;
  const recalled = await recallOperation(ctx, idempotency, facts.operation);
  // `claimKey` stored the answer, or the sender that of a suppressed recipient.
  if (recalled.kind === "answered") return recalled.result as unknown as ScheduledMail | SendAnswer;
  requireAhead(deps.now(), at);
  const id = deps.newId();
  const { erased } = facts;
  const { input } = skipSuppressed(send.input, erased);
  const whole =
    "extras" in input ? { ...input, extras: await fetchFiles(deps, input.extras) } : input;
  const call = await makeCall(ctx, project, whole, facts, { idempotency, logId: id });
  if (call.isSuppressed) return callSender(ctx, project, call, undefined);
  const emails = send.needs.emails.filter((email) => !erased.has(email));
  const needs = { ...send.needs, emails };
  const isTest = isTestKey(ctx.actor);
  const { to, subscriberId, templateId } = call.mail;
  const mail = {
    id,
    projectId: project.id,
    subscriberId,
    templateId,
    to: to.address,
    subject: loggedSubject({ ...call.mail, broadcastId: null }),
    at,
    sendSealed: await sealSend(deps, id, { input: whole, needs, isTest }),
  };
  const answer: ScheduledMail = { kind: "scheduled", id, scheduledAt: at };
  const operation = { id, projectId: project.id, kind: "send", result: { ...answer } } as const;
  const claim = claimKey(deps, operation, idempotency);
  const [stored] = await runBatchAfter(deps.db, claim.before, [
    insertScheduled(deps.db, mail, claim.when),
    scheduledEvent(deps, mail),
    ...noteStored(deps, project.id, mail.sendSealed.length),
  ]).catch((error: unknown) => {
    throw isNotNullViolation(error, "send_operations.project_id") ? notFound("project") : error;
  });
  if (stored.length === 0) throw idempotency ? stillRunning("send", 0) : notFound("project");
  deps.waitUntil(wakeSenders(deps, [project.id]));
  return answer;
}
