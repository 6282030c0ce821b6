import type { App } from "../../app.ts";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectProject } from "../projects/index.ts";
import type { SendAnswer } from "./answers.ts";
import { factsOf, sendReads } from "./send-facts.ts";
import { sendMail } from "./send-mail.ts";

/** A mail that the service itself owes a subscriber. */
export interface SubscriberMail {
  projectId: string;
  subscriberId: string;
  templateId: string;
}

/**
 * Sends a template to a subscriber, active or still pending, at most once however often it is asked to.
 * Throws not_found (project, template, subscriber), suppressed (unsubscribed meanwhile), bad_request
 * (settings, rendering) and conflict while another worker has it in hand. Caused by the service's own queue.
 */
export async function sendSubscriberMail(app: App, mail: SubscriberMail): Promise<SendAnswer> {
  const { projectId, subscriberId, templateId } = mail;
  // With spaces, which an Idempotency-Key of a request cannot have: no client can take this key.
  const key = `subscriber mail ${subscriberId} ${templateId}`;
  const needs = { templateId, subscriberId, emails: [], idempotencyKey: key };
  const [projects, ...reads] = await runBatch(app.db, [
    selectProject(app.db, projectId),
    ...sendReads(app, projectId, needs),
  ]);
  const [project] = projects as ProjectRow[];
  if (!project) throw notFound("project");
  const input = {
    shape: "subscriber",
    subscriberId,
    templateId,
    subject: undefined,
    data: {},
    toPending: true,
  } as const;
  const idempotency = { key, requestHash: sha256Hex(key) };
  return sendMail(queueContext(app), project, input, factsOf(reads), { idempotency });
}

function queueContext(app: App): Ctx {
  return {
    app,
    actor: { kind: "system", job: "subscriber_mail" },
    requestId: app.newId(),
    auditIp: "",
    clientIp: "",
    userAgent: "",
  };
}
