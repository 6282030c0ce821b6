import type { Deps } from "../../../../deps.ts";
import { systemContext } from "../../../../context.ts";
import { runBatch } from "../../../../db/client.ts";
import { notFound, refusal } from "../../../../errors.ts";
import { sha256Hex } from "../../../../lib/hash.ts";
import { prepareServiceMail } from "../../../identity/index.ts";
import { selectProject, wakeSenders } from "../../../projects/index.ts";
import { selectSender, type ServiceMailKind } from "../../../service-mail/index.ts";
import { handOverPendingMail, sendKeyOf, type PendingMail } from "../../../subscribers/index.ts";
import type { SendAnswer } from "../../../../project-object.ts";
import { factsOf, sendReads } from "../single/send-facts.ts";
import { sendMail, type SendOptions } from "../single/send-mail.ts";
import { holdWhileFull, type Deferral } from "./hold-back.ts";

/**
 * Sends a pending mail of the service itself through the project that is its sender, with the
 * server that the operator saw. If the operator has chosen another project meanwhile, the mail goes
 * over to that one and is due at once, unless an earlier attempt may have reached the server.
 * Nothing in the mail is tracked or added. Throws not_found when the reason for the mail no longer
 * exists, no_service_sender, and other_service_sender while the mail cannot go over.
 */
export async function sendServiceMail(
  deps: Deps,
  mail: PendingMail & { kind: ServiceMailKind },
  deliver: NonNullable<SendOptions["deliver"]>,
): Promise<SendAnswer | Deferral> {
  const { id, projectId, kind } = mail;
  const data = mail.data ?? {};
  const key = sendKeyOf(id);
  const needs = {
    templateId: undefined,
    subscriberId: undefined,
    emails: [data["to"] ?? ""],
    idempotencyKey: key,
  };
  const [[project], [sender], ...reads] = await runBatch(deps.db, [
    selectProject(deps.db, projectId),
    selectSender(deps.db),
    ...sendReads(deps, projectId, needs),
  ]);
  if (sender?.isReady !== 1) throw refusal("no_service_sender", {});
  const facts = factsOf(reads);
  if (sender.projectId !== projectId) {
    if (!facts.operation && (await handOverPendingMail(deps, mail, sender.projectId))) {
      await wakeSenders(deps, [sender.projectId]);
      return { kind: "held_back", waitMs: 0 };
    }
    throw refusal("other_service_sender", {});
  }
  if (!project) throw notFound("project");
  const held = holdWhileFull(deps, facts);
  if (held) return held;
  const { to, content } = await prepareServiceMail(deps, { id, kind, data }, project);
  const input = { shape: "service", to, content } as const;
  const idempotency = { key, requestHash: sha256Hex(key) };
  // The operator chose the first server, so mail of the service never goes through another one.
  const options = { idempotency, deliver, servers: "first" } as const;
  return sendMail(systemContext(deps, "service_mail"), project, input, facts, options);
}
