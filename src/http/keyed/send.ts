import { z } from "zod";
import {
  factsOf,
  NO_EXTRAS,
  sendMail,
  sendReads,
  type NamedContent,
} from "../../services/mailing/index.ts";
import { idAnswer } from "../answer-fields.ts";
import { dataField, mailboxField, templateNameField, otherSubjectField } from "../fields.ts";
import { idempotencyKeyOf, idempotencyOf } from "../idempotency-key.ts";
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
  })
  .transform(({ email, to, template, html, subject, data }, context) => {
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
    if (template !== undefined) {
      const content: NamedContent = { template, subject };
      return { recipient, content, data };
    }
    const content: NamedContent = { html: html ?? "", subject };
    return { recipient, content, data };
  });

const sentAnswer = z.strictObject({
  message: z.literal("sent"),
  template: z.string().nullable(),
  to: z.string(),
  id: idAnswer,
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
  reads: ({ c, deps, projectId, body: { recipient, content } }) =>
    sendReads(deps, projectId, {
      templateId: undefined,
      templateName: "template" in content ? content.template : undefined,
      subscriberId: undefined,
      subscriberEmail: recipient.address,
      emails: [recipient.address],
      idempotencyKey: idempotencyKeyOf(c),
    }),
  countsWithWork: true,
  handle: async ({ c, ctx, project, reads, body, bytes, hit }) => {
    const { recipient: to, content, data } = body;
    const mail = { shape: "named", to, content, data, extras: NO_EXTRAS } as const;
    const options = { idempotency: idempotencyOf(c, ctx, bytes), hit };
    const sending = sendMail(ctx, project, mail, factsOf(reads), options);
    const { id } = requireSent(await finishAnyway(ctx, sending));
    const template = "template" in content ? content.template : null;
    return { message: "sent" as const, template, to: to.address, id };
  },
});
