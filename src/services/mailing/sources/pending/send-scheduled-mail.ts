import { systemContext } from "../../../../context.ts";
import { runBatch } from "../../../../db/client.ts";
import type { Deps } from "../../../../deps.ts";
import { notFound } from "../../../../errors.ts";
import { sha256Hex } from "../../../../lib/hash.ts";
import type { SendAnswer } from "../../../../project-object.ts";
import { selectProject } from "../../../projects/index.ts";
import { sendKeyOf, type PendingMail } from "../../../subscribers/index.ts";
import { failed } from "../../outcome.ts";
import { statementsOf } from "../../record-later.ts";
import { openSend } from "../scheduled/stored-send.ts";
import { factsOf, sendReads } from "../single/send-facts.ts";
import { sendMail, type SendOptions } from "../single/send-mail.ts";
import { holdWhileFull, isFinal, type Deferral } from "./hold-back.ts";

/**
 * Sends a scheduled mail that is due, like a send of this moment; its log entry has the id of the
 * mail. A refusal that another attempt cannot change is logged as a failure, because nobody waits
 * for an answer. Throws not_found for a deleted project, and what `sendMail` throws otherwise.
 */
export async function sendScheduledMail(
  deps: Deps,
  mail: PendingMail,
  deliver: NonNullable<SendOptions["deliver"]>,
): Promise<SendAnswer | Deferral> {
  const { id, projectId } = mail;
  const { input, needs, isTest } = await openSend(deps, id, mail.sendSealed ?? "");
  const key = sendKeyOf(id);
  const [[project], ...reads] = await runBatch(deps.db, [
    selectProject(deps.db, projectId),
    ...sendReads(deps, projectId, { ...needs, idempotencyKey: key }),
  ]);
  if (!project) throw notFound("project");
  const facts = factsOf(reads);
  const held = holdWhileFull(deps, facts);
  if (held) return held;
  const idempotency = { key, requestHash: sha256Hex(key) };
  const ctx = systemContext(deps, "scheduled_mail");
  try {
    return await sendMail(ctx, project, input, facts, { idempotency, deliver, logId: id, isTest });
  } catch (error) {
    if (!isFinal(error)) throw error;
    await recordFailure(deps, { ...mail, isTest }, error.message);
    return { kind: "refused", id, error: error.message };
  }
}

async function recordFailure(
  deps: Deps,
  mail: PendingMail & { isTest: boolean },
  error: string,
): Promise<void> {
  const { id: logId, projectId, templateId, subscriberId, data, isTest } = mail;
  const { to = "", subject = "" } = data ?? {};
  const logged = {
    logId,
    subject,
    tags: null,
    templateId,
    subscriberId: subscriberId || null,
    isTest,
  };
  const outcome = { main: failed(to, error), copies: [] };
  const record = { projectId, mail: { ...logged, broadcastId: null }, outcome, operation: null };
  await runBatch(deps.db, statementsOf(deps, [record]));
}
