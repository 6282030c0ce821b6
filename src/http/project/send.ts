import type { SendAnswer, SendInput } from "../../services/mailing/index.ts";
import {
  factsOf,
  sendBatch,
  sendMail,
  sendReads,
  sendTestMail,
} from "../../services/mailing/index.ts";
import { AppError, type ErrorDetails } from "../../errors.ts";
import type { Ctx } from "../../context.ts";
import type { HttpContext } from "../http-env.ts";
import { idempotencyKeyOf, idempotencyOf } from "../idempotency-key.ts";
import { projectRoute } from "../routes.ts";
import { batchBody, sendBody } from "./send-body.ts";

/** The largest send: attachments of 10 MiB are 13.4 MiB in base64; the rest is at most 1 MiB. */
const MAX_SEND_BYTES = 15 * 1_048_576;
/** The largest body of a batch (API reference §4.2). */
const MAX_BATCH_BYTES = 10 * 1_048_576;

const SUPPRESSED = "the recipient is on the suppression list";

/**
 * Lets a send reach its log entry after the caller hangs up; a caller who still waits sees the
 * failure.
 */
export function finishAnyway<T>(ctx: Ctx, sending: Promise<T>): Promise<T> {
  ctx.deps.waitUntil(sending.catch(() => undefined));
  return sending;
}

/** Throws the error that answers a rejected mail to one address, with `more` beside its id. */
export function requireSent(answer: SendAnswer, more: ErrorDetails["fields"] = {}) {
  const details = { fields: { id: answer.id, ...more } };
  if (answer.kind === "suppressed") throw new AppError("suppressed", SUPPRESSED, details);
  if (answer.kind === "refused") throw new AppError("smtp_failed", answer.error, details);
  return answer;
}

/**
 * Presents the answer (API reference §11.1): counts for the subscriber shape, a message for the
 * address shapes.
 */
function presentAnswer(c: HttpContext, answer: SendAnswer, shape: SendInput["shape"]) {
  if (shape !== "subscriber" || answer.kind === "suppressed")
    return c.json({ message: "sent", id: requireSent(answer).id });
  const { id } = answer;
  if (answer.kind === "sent") return c.json({ sent: 1, failed: 0, id });
  return c.json({ sent: 0, failed: 1, error: answer.error, id });
}

export const sendRoutes = [
  projectRoute({
    method: "POST",
    path: "/projects/:id/send",
    auth: "cookie_or_key",
    capability: "send:transactional",
    limit: "send",
    body: sendBody,
    maxBodyBytes: MAX_SEND_BYTES,
    base64At: ["attachments", "content"],
    reads: (c, deps, projectId, { needs }) =>
      sendReads(deps, projectId, { ...needs, idempotencyKey: idempotencyKeyOf(c) }),
    handler: async ({ c, ctx, project, reads, body, bytes }) => {
      const options = { idempotency: idempotencyOf(c, bytes) };
      const sending = sendMail(ctx, project, body.input, factsOf(reads), options);
      const answer = await finishAnyway(ctx, sending);
      return presentAnswer(c, answer, body.input.shape);
    },
  }),
  projectRoute({
    method: "POST",
    path: "/projects/:id/send/batch",
    auth: "cookie_or_key",
    capability: "send:transactional",
    limit: "batch",
    body: batchBody,
    maxBodyBytes: MAX_BATCH_BYTES,
    reads: (c, deps, projectId, { templateId }) =>
      sendReads(deps, projectId, {
        templateId,
        subscriberId: undefined,
        emails: [],
        idempotencyKey: idempotencyKeyOf(c),
      }),
    handler: async ({ c, ctx, project, reads, body, bytes }) => {
      const idempotency = idempotencyOf(c, bytes);
      const sending = sendBatch(ctx, project, body, factsOf(reads), idempotency);
      const answer = await finishAnyway(ctx, sending);
      const { sent, bounced, suppressed, failures } = answer;
      const failed = answer.failed + bounced + suppressed;
      return c.json({ sent, failed, bounced, suppressed, failures });
    },
  }),
  projectRoute({
    method: "POST",
    path: "/projects/:id/smtp/test",
    auth: "cookie",
    capability: "projects:write",
    limit: "smtp_test",
    handler: async ({ c, ctx, project }) => {
      const { to, answer, steps, alternative } = await finishAnyway(
        ctx,
        sendTestMail(ctx, project),
      );
      const { id } = requireSent(answer, { steps, alternative });
      return c.json({ message: "sent", to, id, steps });
    },
  }),
];
