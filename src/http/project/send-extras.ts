import { z } from "zod";
import { AppError, reasonOf } from "../../errors.ts";
import { fromBase64 } from "../../lib/encoding.ts";
import type { Mailbox } from "../../mail/address.ts";
import { customHeaders, MAX_CUSTOM_HEADERS } from "../../mail/custom-headers.ts";
import { attachmentFaults } from "../../mail/mime-part.ts";
import type { Extras } from "../../services/mailing/index.ts";
import { mailboxField } from "../fields.ts";
import { listField, recordField, objectField } from "../given.ts";
import { writtenAs } from "../route/written-as.ts";
import { fault, faultText, refuse } from "../fault.ts";

/** Maximum number of mailboxes in one optional field of a send (API reference §11.2). */
const MAX_MAILBOXES = 50;
const MAX_ATTACHMENTS = 20;
const MAX_ATTACHMENT_BYTES = 10 * 1_048_576;
const MAX_TAGS = 20;
const MAX_TAG_NAME_CHARACTERS = 64;
const MAX_TAG_VALUE_CHARACTERS = 256;

const oneMailbox = mailboxField.transform((one) => [one]);
const severalMailboxes = listField(mailboxField, MAX_MAILBOXES);

/** One mailbox or a list; errors name the invalid one. */
const mailboxList = writtenAs(
  z.unknown().transform((given, context): Mailbox[] => {
    if (given !== undefined && typeof given !== "string" && !Array.isArray(given)) {
      return refuse(context, fault("not_addresses"));
    }
    const parsed = (Array.isArray(given) ? severalMailboxes : oneMailbox).safeParse(given);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues)
      context.addIssue({ code: "custom", path, message });
    return z.NEVER;
  }),
  z.union([mailboxField, severalMailboxes]),
);

const mailboxesField = mailboxList.default([]);

/** The recipient of a mail, and the other addresses in its To header. */
export const recipientsField = mailboxList.transform(([to, ...alsoTo], context) =>
  to ? { to, alsoTo } : refuse(context, fault("empty")),
);

const headersField = recordField(z.string(), z.string(), MAX_CUSTOM_HEADERS)
  .superRefine((headers, context) => {
    try {
      customHeaders(headers);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.addIssue({ code: "custom", message: faultText(reasonOf(error)) });
    }
  })
  .default({});

const FIELDS = { filename: "filename", contentType: "content_type", contentId: "content_id" };

const attachmentField = objectField({
  filename: z.string().min(1, fault("required")).max(255),
  content: z.string().describe("The content in base64."),
  content_type: z.string().max(255).default("application/octet-stream"),
  content_id: z.string().max(255).optional(),
}).transform(({ filename, content, content_type: contentType, content_id: contentId }, context) => {
  const decoded = fromBase64(content);
  if (!decoded.ok) {
    context.addIssue({ code: "custom", path: ["content"], message: fault("not_base64") });
    return z.NEVER;
  }
  const words = { filename, contentType, ...(contentId === undefined ? {} : { contentId }) };
  const faults = attachmentFaults(words);
  for (const { word, rule } of faults)
    context.addIssue({ code: "custom", path: [FIELDS[word]], message: fault(rule) });
  return faults.length > 0 ? z.NEVER : { ...words, content: decoded.bytes };
});

const attachmentsField = listField(attachmentField, MAX_ATTACHMENTS)
  .refine(
    (list) => list.reduce((sum, { content }) => sum + content.length, 0) <= MAX_ATTACHMENT_BYTES,
    fault("attachments_too_large", { max: MAX_ATTACHMENT_BYTES / 1_048_576 }),
  )
  .default([]);

export const tagsField = recordField(
  z.string().min(1).max(MAX_TAG_NAME_CHARACTERS),
  z.string().max(MAX_TAG_VALUE_CHARACTERS),
  MAX_TAGS,
);

/** Optional fields of the address shapes besides recipient and content. */
export const extrasShape = {
  from: mailboxField.optional(),
  cc: mailboxesField,
  bcc: mailboxesField,
  reply_to: mailboxesField,
  headers: headersField,
  attachments: attachmentsField,
  tags: tagsField.optional(),
};

const addressedObject = z.object({ to: recipientsField, ...extrasShape });

/** Returns the recipient and the optional fields of a mail in the delivery service's terms. */
export function addressedOf(body: z.output<typeof addressedObject>): {
  to: Mailbox;
  extras: Extras;
} {
  const { to, alsoTo } = body.to;
  const { from, cc, bcc, reply_to: replyTo, headers, attachments, tags } = body;
  const named = from && { from };
  return {
    to,
    extras: { ...named, alsoTo, cc, bcc, replyTo, headers, attachments, tags: tags ?? null },
  };
}
