import { z } from "zod";
import type { SendAnswer, SendInput } from "../../services/mailing/index.ts";
import {
  factsOf,
  scheduleMail,
  sendMail,
  sendReads,
  sendTestMail,
} from "../../services/mailing/index.ts";
import { withSmtpSettings } from "../../services/projects/index.ts";
import { refusal, type ErrorDetails } from "../../errors.ts";
import type { Ctx } from "../../context.ts";
import { countAnswer, idAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { idempotencyKeyOf, idempotencyOf } from "../idempotency-key.ts";
import { route } from "../route/route.ts";
import { stepsAnswer } from "../steps.ts";
import { sendBody } from "./send-body.ts";
import { smtpTestBody } from "./smtp-body.ts";

/**
 * Maximum size of a send: attachments of 10 MiB are 13.4 MiB in base64, plus at most 1 MiB for the
 * rest.
 */
export const MAX_SEND_BYTES = 15 * 1_048_576;

/**
 * Lets a send reach its log entry after the client disconnects. A client that is still connected
 * sees a failure.
 */
export function finishAnyway<T>(ctx: Ctx, sending: Promise<T>): Promise<T> {
  ctx.deps.waitUntil(sending.catch(() => undefined));
  return sending;
}

/** Throws the error for a rejected mail to one address, with its id and `more`. */
export function requireSent(answer: SendAnswer, more: ErrorDetails["fields"] = {}) {
  const details = { fields: { id: answer.id, ...more } };
  if (answer.kind === "suppressed")
    throw refusal(answer.isOptedOut ? "opted_out" : "suppressed", {}, details);
  if (answer.kind === "refused") throw refusal("smtp_failed", { reason: answer.error }, details);
  return answer;
}

export const sentAnswer = z.strictObject({ message: z.literal("sent"), id: idAnswer });

/** The response to a send for a later time. */
const scheduledAnswer = z.strictObject({
  message: z.literal("scheduled"),
  id: idAnswer,
  scheduled_at: timeAnswer,
});

/** The response to the subscriber shape. */
const countedAnswer = z.strictObject({
  sent: countAnswer,
  failed: countAnswer,
  error: z.string().optional(),
  id: idAnswer,
});

const sendAnswer = z.union([sentAnswer, countedAnswer]);

/**
 * Presents the response (API reference §11.1): counts for the subscriber shape, a message for the
 * address shapes.
 */
function presentSend(answer: SendAnswer, shape: SendInput["shape"]): z.input<typeof sendAnswer> {
  if (shape !== "subscriber" || answer.kind === "suppressed")
    return { message: "sent", id: requireSent(answer).id };
  const { id } = answer;
  if (answer.kind === "sent") return { sent: 1, failed: 0, id };
  return { sent: 0, failed: 1, error: answer.error, id };
}

export const sendRoutes = [
  route({
    auth: "cookie_or_key",
    method: "POST",
    path: "/projects/:id/send",
    operation: "projects.send",
    summary: "Sends one email.",
    refusals: [409, 422, 502],
    takesIdempotencyKey: true,
    example: {
      body: {
        to: "Ann <ann@example.com>",
        subject: "Your receipt",
        html_body: "<p>Thank you.</p>",
        tags: { order: "1042" },
      },
    },
    capability: "send:transactional",
    limit: "send",
    body: sendBody,
    namesUnknownFields: true,
    maxBodyBytes: MAX_SEND_BYTES,
    answer: sendAnswer,
    otherAnswers: { 202: scheduledAnswer },
    reads: ({ c, deps, projectId, body: { needs } }) =>
      sendReads(deps, projectId, { ...needs, idempotencyKey: idempotencyKeyOf(c) }),
    countsWithWork: true,
    handle: async ({ c, ctx, project, reads, body, bytes, hit, warned }) => {
      const idempotency = idempotencyOf(c, ctx, bytes);
      const { input, needs, scheduledAt: at } = body;
      const facts = factsOf(reads);
      const sending =
        at === undefined
          ? sendMail(ctx, project, input, facts, { idempotency, hit })
          : scheduleMail(ctx, project, { input, needs }, facts, { at, idempotency });
      const answer = await finishAnyway(ctx, sending);
      if (answer.kind !== "scheduled") return presentSend(answer, input.shape);
      const { kind: message, id, scheduledAt } = answer;
      return c.json(warned({ message, id, scheduled_at: timestamp(scheduledAt) }), 202);
    },
  }),
  route({
    auth: "cookie",
    method: "POST",
    path: "/projects/:id/smtp/test",
    operation: "projects.smtp.test",
    summary: "Sends a test email with the stored SMTP settings, or with those in the body.",
    example: { body: { from_name: "Shop" } },
    refusals: [400, 422, 502],
    capability: "projects:write",
    limit: "smtp_test",
    body: smtpTestBody,
    query: z.object({ server: z.enum(["first", "fallback"]).default("first") }),
    answer: sentAnswer.extend({ to: z.string(), steps: stepsAnswer }),
    handle: async ({ ctx, project, query: { server }, body }) => {
      const tried = await withSmtpSettings(ctx.deps, project, server, body);
      const tested = await finishAnyway(ctx, sendTestMail(ctx, tried, server));
      const { to, answer, steps, alternative } = tested;
      const { id } = requireSent(answer, { steps, alternative });
      return { message: "sent" as const, to, id, steps };
    },
  }),
];
