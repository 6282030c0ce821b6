import { z } from "zod";
import { AppError, reasonOf } from "../../errors.ts";
import { fromBase64 } from "../../lib/encoding.ts";
import type { Mailbox } from "../../mail/address.ts";
import { customHeaders, MAX_CUSTOM_HEADERS } from "../../mail/custom-headers.ts";
import {
  attachmentFaults,
  MAX_ATTACHMENT_BYTES,
  tooLarge,
  type Attachment,
} from "../../mail/mime-part.ts";
import type { Extras, LinkedFile } from "../../services/mailing/index.ts";
import { mailboxField, timestampField, uuidField } from "../fields.ts";
import { listField, recordField, objectField } from "../given.ts";
import { inCode } from "../in-code.ts";
import { writtenAs } from "../route/written-as.ts";
import { fault, faultText, refuse } from "../fault.ts";

/** Maximum number of mailboxes in one optional field of a send (API reference §11.2). */
const MAX_MAILBOXES = 50;
const MAX_ATTACHMENTS = 20;
const MAX_PATH_CHARACTERS = 2_048;
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

/** Headers that a message may have besides those of the service. */
export const headersField = recordField(z.string(), z.string(), MAX_CUSTOM_HEADERS).superRefine(
  (headers, context) => {
    try {
      customHeaders(headers);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.addIssue({ code: "custom", message: faultText(reasonOf(error)) });
    }
  },
);

const FIELDS = { filename: "filename", contentType: "content_type", contentId: "content_id" };

const attachmentField = objectField({
  filename: z.string().min(1, fault("required")).max(255).optional(),
  content: z.string().optional().describe("The content in base64."),
  path: z
    .string()
    .max(MAX_PATH_CHARACTERS)
    .regex(/^https:\/\//i, fault("not_https"))
    .optional()
    .describe("The URL to fetch the content from, instead of `content`."),
  content_type: z.string().max(255).optional(),
  content_id: z.string().max(255).optional(),
}).transform((given, context): Attachment | LinkedFile => {
  const { filename, content, path, content_type: contentType, content_id: contentId } = given;
  const refuseAt = (field: string, message: string) => {
    context.addIssue({ code: "custom", path: [field], message });
    return z.NEVER;
  };
  const words = {
    filename: filename ?? "attachment",
    contentType: contentType ?? "application/octet-stream",
    ...(contentId === undefined ? {} : { contentId }),
  };
  for (const { word, rule } of attachmentFaults(words)) refuseAt(FIELDS[word], fault(rule));
  if (content !== undefined && path !== undefined)
    return refuseAt("content", fault("either", { one: "content", other: "path" }));
  if (path !== undefined) return inCode({ path, filename, contentType, contentId });
  if (filename === undefined) return refuseAt("filename", fault("required"));
  if (content === undefined) return refuseAt("content", fault("required"));
  const decoded = fromBase64(content);
  return decoded.ok
    ? { ...words, content: decoded.bytes }
    : refuseAt("content", fault("not_base64"));
});

const isLinked = (one: Attachment | LinkedFile): one is LinkedFile => "path" in one;
const isContained = (one: Attachment | LinkedFile): one is Attachment => "content" in one;

const attachmentsField = listField(attachmentField, MAX_ATTACHMENTS)
  .refine(
    (list) =>
      list.filter(isContained).reduce((sum, { content }) => sum + content.length, 0) <=
      MAX_ATTACHMENT_BYTES,
    faultText(tooLarge()),
  )
  .default([]);

export const tagsField = recordField(
  z.string().min(1).max(MAX_TAG_NAME_CHARACTERS),
  z.string().max(MAX_TAG_VALUE_CHARACTERS),
  MAX_TAGS,
);

/** When a send is due, if not now. */
export const scheduledAtField = timestampField
  .optional()
  .describe("When to send, at most 30 days ahead; now if left out.");

/** The topic of a send. */
export const sendTopicField = uuidField
  .optional()
  .describe("The topic of the email. Who has not consented to it gets no email.");

/** Optional fields of the address shapes besides recipient and content. */
export const extrasShape = {
  from: mailboxField.optional(),
  cc: mailboxesField,
  bcc: mailboxesField,
  reply_to: mailboxesField,
  headers: headersField.default({}),
  attachments: attachmentsField,
  tags: tagsField.optional(),
  topic_id: sendTopicField,
  scheduled_at: scheduledAtField,
};

const addressedObject = z.object({ to: recipientsField, ...extrasShape });

/** Returns the recipient and the optional fields of a mail in the delivery service's terms. */
export function addressedOf(body: z.output<typeof addressedObject>): {
  to: Mailbox;
  extras: Extras;
} {
  const { to, alsoTo } = body.to;
  const { from, cc, bcc, reply_to: replyTo, headers, attachments: given, tags } = body;
  const attachments = given.filter(isContained);
  const files = given.filter(isLinked);
  const others = { replyTo, headers, attachments, files, tags: tags ?? null };
  return { to, extras: { ...(from && { from }), alsoTo, cc, bcc, ...others } };
}
