import { z } from "zod";
import {
  factsOf,
  NO_EXTRAS,
  scheduleMail,
  sendMail,
  sendReads,
  type NamedContent,
} from "../../services/mailing/index.ts";
import { idAnswer, timeAnswer, timestamp } from "../answer-fields.ts";
import { dataField, mailboxField, templateNameField, otherSubjectField } from "../fields.ts";
import { idempotencyKeyOf, idempotencyOf } from "../idempotency-key.ts";
import { scheduledAtField, sendTopicField } from "../project/send-extras.ts";
import { mailOptionsShape } from "../project/tracking-fields.ts";
import { finishAnyway, requireSent } from "../project/send.ts";
import { route } from "../route/route.ts";
import { requiring } from "./required.ts";
import { fault } from "../fault.ts";

const fields = z
  .object({
    email: mailboxField.optional(),
    to: mailboxField.optional(),
    template: templateNameField.optional(),
    html: z.string().optional(),
    subject: otherSubjectField,
    data: dataField.default({}),
    from: mailboxField.optional(),
    scheduled_at: scheduledAtField,
    topic_id: sendTopicField,
    ...mailOptionsShape,
  })
  .transform(({ email, to, template, html, subject, data, ...options }, context) => {
    const refuse = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    const recipient = email ?? to;
    if (!recipient) return refuse(fault("missing_field", { field: "email or to" }));
    if (to && to.address !== recipient.address)
      return refuse(fault("either", { one: "email", other: "to" }));
    if (template !== undefined && html !== undefined)
      return refuse(fault("either", { one: "template", other: "html" }));
    const content: NamedContent =
      template === undefined ? { html: html ?? "", subject } : { template, subject };
    const extras = { ...NO_EXTRAS, ...(options.from && { from: options.from }) };
    const { tracking, preheader, topic_id: topicId } = options;
    const mail = { shape: "named", to: recipient, content, data, extras } as const;
    const input = { ...mail, tracking, preheader, topicId };
    const needs = {
      templateId: undefined,
      templateName: template,
      subscriberId: undefined,
      subscriberEmail: recipient.address,
      emails: [recipient.address],
      topicId,
    };
    return { input, needs, at: options.scheduled_at };
  });

const mailAnswer = { template: z.string().nullable(), to: z.string(), id: idAnswer };

const sentAnswer = z.strictObject({ message: z.literal("sent"), ...mailAnswer });

const scheduledAnswer = z.strictObject({
  message: z.literal("scheduled"),
  ...mailAnswer,
  scheduled_at: timeAnswer,
});

export const sendRoute = route({
  auth: "secret",
  method: "POST",
  path: "/send",
  operation: "keyed.send",
  summary: "Sends one email, with names instead of IDs.",
  refusals: [404, 409, 422, 502],
  takesIdempotencyKey: true,
  example: { body: { to: "ann@example.com", template: "welcome", data: { name: "Ann" } } },
  capability: "send:transactional",
  limit: "keyed_send",
  body: requiring(["email or to", "template or html"], fields),
  namesUnknownFields: true,
  answer: sentAnswer,
  otherAnswers: { 202: scheduledAnswer },
  reads: ({ c, deps, projectId, body: { needs } }) =>
    sendReads(deps, projectId, { ...needs, idempotencyKey: idempotencyKeyOf(c) }),
  countsWithWork: true,
  handle: async ({ c, ctx, project, reads, body, bytes, hit, warned }) => {
    const { input, needs, at } = body;
    const idempotency = idempotencyOf(c, ctx, bytes);
    const facts = factsOf(reads);
    const sending =
      at === undefined
        ? sendMail(ctx, project, input, facts, { idempotency, hit })
        : scheduleMail(ctx, project, { input, needs }, facts, { at, idempotency });
    const answer = await finishAnyway(ctx, sending);
    const mail = { template: needs.templateName ?? null, to: input.to.address };
    if (answer.kind !== "scheduled")
      return { message: "sent" as const, ...mail, id: requireSent(answer).id };
    const { kind: message, id, scheduledAt } = answer;
    const data = warned({ message, ...mail, id, scheduled_at: timestamp(scheduledAt) });
    return c.json({ success: true, data }, 202);
  },
});
