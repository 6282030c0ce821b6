import type { Deps } from "../../../../deps.ts";
import { systemContext } from "../../../../context.ts";
import { runBatch } from "../../../../db/client.ts";
import { AppError, notFound } from "../../../../errors.ts";
import { sha256Hex } from "../../../../lib/hash.ts";
import { takeSubscriberMail } from "../../../limits/index.ts";
import { selectProject } from "../../../projects/index.ts";
import {
  attemptOwedMail,
  holdBackOwedMail,
  putOffOwedMail,
  settleOwedMail,
  type OwedMail,
} from "../../../subscribers/index.ts";
import type { SendAnswer } from "../answers.ts";
import { factsOf, sendReads } from "../single/send-facts.ts";
import { sendMail } from "../single/send-mail.ts";
import { sendServiceMail } from "./send-service-mail.ts";

/**
 * The result of an attempt at an owed mail. A mail that is `put_off` is tried again when it is due.
 * A mail that a limit has `held_back` is tried again after `waitMs`.
 */
export type OwedMailResult =
  | { kind: "logged"; answer: SendAnswer }
  | { kind: "put_off"; answer: SendAnswer }
  | { kind: "held_back"; waitMs: number }
  | { kind: "dropped"; mail: OwedMail; error: AppError }
  | { kind: "nothing_owed" };

type HeldBack = Extract<OwedMailResult, { kind: "held_back" }>;

/** The refusals that another attempt cannot change: something was deleted or is not configured. */
const FINAL: ReadonlySet<string> = new Set(["bad_request", "not_found", "suppressed"]);

/**
 * Sends a mail that the service owes: its own, or one to a subscriber, active or still pending.
 * Sends it at most once for any number of calls. Removes the debt when the log has the outcome, or
 * when there can never be one. A transient failure is logged too. The mail then stays owed under a
 * new id, and so under an Idempotency-Key that no attempt has used. A first attempt respects the
 * limits of mail that strangers may cause (`takeSubscriberMail`). Called by the service's own
 * queue.
 * Throws conflict while another worker has the mail in hand, and any error on the way. The debt
 * then stays, and the sweep retries it.
 */
export async function sendOwedMail(deps: Deps, owedMailId: string): Promise<OwedMailResult> {
  const attempt = await attemptOwedMail(deps, owedMailId);
  if (attempt.kind === "settled") return { kind: "nothing_owed" };
  const result = await deliverOwed(deps, attempt.mail);
  if (result.kind === "held_back") await holdBackOwedMail(deps, owedMailId, result.waitMs);
  else await (result.kind === "put_off" ? putOffOwedMail : settleOwedMail)(deps, owedMailId);
  return result;
}

async function deliverOwed(deps: Deps, mail: OwedMail): Promise<OwedMailResult> {
  try {
    const answer = await sendOne(deps, mail);
    if (answer.kind === "held_back") return answer;
    const isTransient = answer.kind === "refused" && answer.failure === "transient";
    return { kind: isTransient ? "put_off" : "logged", answer };
  } catch (error) {
    if (error instanceof AppError && FINAL.has(error.code)) return { kind: "dropped", mail, error };
    throw error;
  }
}

function sendOne(deps: Deps, mail: OwedMail): Promise<SendAnswer | HeldBack> {
  const { kind } = mail;
  return kind === "subscriber"
    ? sendSubscriberMail(deps, mail)
    : sendServiceMail(deps, { ...mail, kind });
}

async function sendSubscriberMail(deps: Deps, mail: OwedMail): Promise<SendAnswer | HeldBack> {
  const { projectId, subscriberId } = mail;
  const templateId = mail.templateId ?? undefined;
  const templateName = mail.templateName ?? undefined;
  // The key contains spaces, which a request's Idempotency-Key cannot, so no client can take it.
  const key = `owed mail ${mail.id}`;
  const needs = { templateId, templateName, subscriberId, emails: [], idempotencyKey: key };
  const [[project], ...reads] = await runBatch(deps.db, [
    selectProject(deps.db, projectId),
    ...sendReads(deps, projectId, needs),
  ]);
  if (!project) throw notFound("project");
  const ctx = systemContext(deps, "owed_mail");
  const facts = factsOf(reads);
  const isFirstAttempt = mail.attempts === 1 && !facts.operation;
  if (isFirstAttempt && facts.subscriber) {
    const { allowed, resetMs } = await takeSubscriberMail(ctx, projectId, facts.subscriber.email);
    if (!allowed) return { kind: "held_back", waitMs: resetMs };
  }
  const input = {
    shape: "subscriber",
    subscriberId,
    templateName,
    isPublic: mail.isPublic,
    subject: undefined,
    data: { product_name: project.name }, // the sender that the built-in welcome names
    toPending: true,
  } as const;
  const idempotency = { key, requestHash: sha256Hex(key) };
  return sendMail(ctx, project, input, facts, { idempotency });
}
