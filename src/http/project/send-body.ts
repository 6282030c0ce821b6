import { z } from "zod";
import type { MailOptions, WholeSend } from "../../services/mailing/index.ts";
import { dataField, otherSubjectField, requiredSubjectField, uuidField } from "../fields.ts";
import { writtenAs } from "../route/written-as.ts";
import {
  addressedOf,
  extrasShape,
  recipientsField,
  scheduledAtField,
  sendTopicField,
} from "./send-extras.ts";
import { fault, refuse } from "../fault.ts";
import { mailOptionsShape } from "./tracking-fields.ts";

/** A send in one of its three shapes, with the reads it needs, for now or for a later time. */
export interface SendBody extends WholeSend {
  scheduledAt: number | undefined;
}

const NOTHING = { templateId: undefined, subscriberId: undefined, emails: [] };

const addressesOf = (input: Extract<WholeSend["input"], { extras: unknown }>) =>
  [input.to, ...input.extras.alsoTo, ...input.extras.cc, ...input.extras.bcc].map(
    ({ address }) => address,
  );

/** Returns what a send sets about its content, tracking and topic. */
const mailOptionsOf = ({
  tracking,
  preheader,
  topic_id: topicId,
}: MailOptions & { topic_id?: string | undefined }) => ({ tracking, preheader, topicId });

const templateShape = z
  .object({
    to: recipientsField,
    template_id: uuidField,
    subject: otherSubjectField,
    data: dataField.default({}),
    ...mailOptionsShape,
    ...extrasShape,
  })
  .transform((body): SendBody => {
    const { template_id: templateId, subject, data, scheduled_at: scheduledAt } = body;
    const options = mailOptionsOf(body);
    const input = { shape: "template", ...addressedOf(body), subject, data, ...options } as const;
    const { topicId } = options;
    const needs = { ...NOTHING, templateId, topicId, emails: addressesOf(input) };
    return { input, needs, scheduledAt };
  });

const rawShape = z
  .object({
    to: recipientsField,
    subject: requiredSubjectField,
    html_body: z.string().default(""),
    text_body: z.string().default(""),
    ...mailOptionsShape,
    ...extrasShape,
  })
  .refine(({ html_body: html, text_body: text }) => html !== "" || text !== "", {
    path: ["html_body"],
    message: fault("one_of", { fields: "html_body, text_body" }),
  })
  .transform((body): SendBody => {
    const { subject, html_body: html, text_body: text, scheduled_at: scheduledAt } = body;
    const options = mailOptionsOf(body);
    const input = { shape: "raw", ...addressedOf(body), subject, html, text, ...options } as const;
    const { topicId } = options;
    return { input, needs: { ...NOTHING, topicId, emails: addressesOf(input) }, scheduledAt };
  });

const subscriberShape = z
  .object({
    subscriber_id: uuidField,
    template_id: uuidField,
    subject: otherSubjectField,
    data: dataField.default({}),
    scheduled_at: scheduledAtField,
    topic_id: sendTopicField,
    ...mailOptionsShape,
  })
  .transform((body): SendBody => {
    const { subscriber_id: subscriberId, template_id: templateId, subject, data } = body;
    const options = mailOptionsOf(body);
    const input = { shape: "subscriber", subscriberId, subject, data, ...options } as const;
    const { topicId } = options;
    const needs = { ...NOTHING, templateId, subscriberId, topicId };
    return { input, needs, scheduledAt: body.scheduled_at };
  });

/** Returns the schema of the shape whose fields are present; fields of two shapes match none. */
function schemaFor(body: Record<string, unknown>) {
  const has = (field: string) => body[field] !== undefined;
  if (has("subscriber_id")) return has("to") || has("html_body") ? undefined : subscriberShape;
  if (has("template_id")) return has("html_body") ? undefined : templateShape;
  return has("html_body") || has("text_body") ? rawShape : undefined;
}

/** The body of a send (API reference §11.1). */
export const sendBody = writtenAs(
  z
    .record(z.string(), z.unknown(), { error: fault("body_type", { expected: "a JSON object" }) })
    .transform((body, context): SendBody => {
      const schema = schemaFor(body);
      if (!schema) {
        return refuse(context, fault("send_shape"));
      }
      const parsed = schema.safeParse(body);
      if (parsed.success) return parsed.data;
      for (const { path, message } of parsed.error.issues)
        context.addIssue({ code: "custom", path, message });
      return z.NEVER;
    }),
  z.union([templateShape, subscriberShape, rawShape]),
);
