import { z } from "zod";
import { AppError } from "../../errors.ts";
import { fromBase64 } from "../../lib/encoding.ts";
import type { Mailbox } from "../../mail/address.ts";
import { checkCustomHeaders } from "../../mail/custom-headers.ts";
import type { Extras } from "../../services/delivery/index.ts";
import { mailboxField } from "../fields.ts";

/** What a send may carry beyond the API reference; README, "Sending". */
const MAX_MAILBOXES = 50;
const MAX_ATTACHMENTS = 20;
const MAX_ATTACHMENT_BYTES = 10 * 1_048_576;
const MAX_TAGS = 20;
const MAX_TAG_NAME_CHARACTERS = 64;
const MAX_TAG_VALUE_CHARACTERS = 256;

/** One mailbox or a list of them. */
const mailboxesField = z
  .union([mailboxField.transform((one) => [one]), z.array(mailboxField)])
  .refine((list: Mailbox[]) => list.length <= MAX_MAILBOXES, `at most ${MAX_MAILBOXES} addresses`)
  .default([]);

const headersField = z
  .record(z.string(), z.string())
  .superRefine((headers, context) => {
    try {
      checkCustomHeaders(headers);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.addIssue({ code: "custom", message: error.message });
    }
  })
  .default({});

const attachmentField = z
  .object({
    filename: z.string().min(1, "is required").max(255),
    content: z.string(),
    content_type: z.string().max(255).default("application/octet-stream"),
    content_id: z.string().max(255).optional(),
  })
  .transform(({ filename, content, content_type: contentType, content_id: contentId }, context) => {
    const decoded = fromBase64(content);
    if (!decoded.ok) {
      context.addIssue({ code: "custom", path: ["content"], message: "is not base64" });
      return z.NEVER;
    }
    const attachment = { filename, contentType, content: decoded.bytes };
    return contentId === undefined ? attachment : { ...attachment, contentId };
  });

const attachmentsField = z
  .array(attachmentField)
  .max(MAX_ATTACHMENTS, `at most ${MAX_ATTACHMENTS} attachments`)
  .refine(
    (list) => list.reduce((sum, { content }) => sum + content.length, 0) <= MAX_ATTACHMENT_BYTES,
    `attachments may have at most ${MAX_ATTACHMENT_BYTES / 1_048_576} MiB in all`,
  )
  .default([]);

const tagsField = z
  .record(z.string().min(1).max(MAX_TAG_NAME_CHARACTERS), z.string().max(MAX_TAG_VALUE_CHARACTERS))
  .refine((tags) => Object.keys(tags).length <= MAX_TAGS, `at most ${MAX_TAGS} tags`)
  .optional();

/** The fields of the address shapes beyond recipient and content. */
export const extrasShape = {
  cc: mailboxesField,
  bcc: mailboxesField,
  reply_to: mailboxesField,
  headers: headersField,
  attachments: attachmentsField,
  tags: tagsField,
};

const extrasObject = z.object(extrasShape);

/** The extras of a checked body, in the terms of the delivery service. */
export function extrasOf(body: z.output<typeof extrasObject>): Extras {
  const { cc, bcc, reply_to: replyTo, headers, attachments, tags } = body;
  return { cc, bcc, replyTo, headers, attachments, tags: tags ?? null };
}
