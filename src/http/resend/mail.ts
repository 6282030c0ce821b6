import { Buffer } from "node:buffer";
import { z } from "zod";
import { fault } from "../fault.ts";
import { withoutNulls } from "../given.ts";

/** Their names of our fields, where they differ. */
export const THEIR_NAMES: Readonly<Record<string, string>> = {
  html_body: "html",
  text_body: "text",
  template_id: "template",
  data: "template",
  url: "endpoint",
  active: "status",
  from_name: "from",
  send_at: "scheduled_at",
  metadata: "properties",
};

const bytesList = z.array(z.int());

/** The content of a file: base64, or its bytes as clients in Python and older ones in Node send it. */
const contentField = z
  .union([z.string(), bytesList, z.object({ type: z.literal("Buffer"), data: bytesList })])
  .transform((given) => {
    if (typeof given === "string") return given;
    return Buffer.from("data" in given ? given.data : given).toString("base64");
  });

const attachmentField = z.preprocess(
  withoutNulls,
  z.looseObject({ content: contentField.optional() }),
);

const templateField = z.strictObject({ id: z.unknown(), variables: z.unknown().optional() });

const fields = z.strictObject({
  from: z.unknown(),
  to: z.unknown(),
  subject: z.unknown(),
  cc: z.unknown(),
  bcc: z.unknown(),
  reply_to: z.unknown(),
  headers: z.unknown(),
  html: z.unknown(),
  text: z.unknown(),
  scheduled_at: z.unknown(),
  topic_id: z.unknown(),
  attachments: z.array(attachmentField).optional(),
  tags: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  template: z.preprocess(withoutNulls, templateField).optional(),
});

/** The fields that an email needs; those of a template have defaults. */
const neededIn = ({ template }: { template?: unknown }) =>
  template === undefined ? ["from", "to", "subject"] : ["to"];

/** An email as their API takes it, as the body of our send. */
export const mailField = z.preprocess(
  withoutNulls,
  fields
    .partial()
    .superRefine((mail, context) => {
      const needed = new Map<string, unknown>(Object.entries(mail));
      for (const name of neededIn(mail))
        if (!needed.has(name))
          context.addIssue({ code: "custom", path: [name], message: fault("required") });
      if (["html", "text", "template"].some((name) => needed.has(name))) return;
      const message = fault("one_of", { fields: "html, text, template" });
      context.addIssue({ code: "custom", path: ["html"], message });
    })
    .transform(({ html, text, template, tags, ...others }) => ({
      ...others,
      html_body: html,
      text_body: text,
      template_id: template?.id,
      data: template?.variables,
      tags: tags && Object.fromEntries(tags.map(({ name, value }) => [name, value])),
    })),
);

/** What we know of a sent email, in the fields of our log. */
export interface LoggedMail {
  id: string;
  to_email: string;
  subject: string;
  status: string;
  sent_at: string;
  scheduled_at?: string;
  opened_at: string | null;
  clicked_at: string | null;
  tags: Record<string, string>;
  complaint?: object | null;
}

/** Returns the newest event of an email. */
function lastEventOf({ status, opened_at, clicked_at, complaint }: LoggedMail): string {
  if (complaint) return "complained";
  if (status !== "sent") return status;
  if (clicked_at !== null) return "clicked";
  return opened_at === null ? "sent" : "opened";
}

/** Presents an email of a list. The log keeps neither its sender nor its copies. */
export const listedMail = (mail: LoggedMail) => ({
  id: mail.id,
  message_id: "",
  to: [mail.to_email],
  from: "",
  created_at: mail.sent_at,
  subject: mail.subject,
  bcc: null,
  cc: null,
  reply_to: null,
  last_event: lastEventOf(mail),
  scheduled_at: mail.scheduled_at ?? null,
});

/** Presents an email. The log keeps no content. */
export const shownMail = (mail: LoggedMail) => ({
  object: "email",
  ...listedMail(mail),
  html: null,
  text: null,
  tags: Object.entries(mail.tags).map(([name, value]) => ({ name, value })),
});
