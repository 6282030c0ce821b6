/*
 * A transport for nodemailer 6 or newer that sends over the API:
 *
 *   const transporter = nodemailer.createTransport(postriderTransport({ baseUrl, key, projectId }));
 *   await transporter.sendMail({ to: "ann@example.com", subject: "Hello", text: "Hello" });
 */
import { createClient, PostriderError, type ClientOptions } from "./index.ts";

export interface PostriderTransportOptions extends ClientOptions {
  /** A project key (`sk_`). */
  key: string;
  projectId: string;
}

/** What `sendMail` returns. */
export interface SentMail {
  /** ID of the log entry, which is also the local part of the Message-ID. */
  messageId: string;
  envelope: object;
}

type Callback = (...result: [error: Error] | [error: null, sent: SentMail]) => void;

interface Address {
  name?: string;
  address?: string;
}

interface Attachment {
  filename: string;
  contentType: string;
  /** In base64 if `encoding` says so, or else text or bytes. */
  content?: unknown;
  encoding?: string;
  cid?: string;
}

/** The part of a nodemailer message that the transport uses. */
interface MailMessage {
  /** As given to `sendMail`, with the defaults of the transporter. */
  data: object;
  message: {
    getAddresses: () => Partial<Record<"from" | "to" | "cc" | "bcc" | "reply-to", Address[]>>;
    getEnvelope: () => object;
  };
  /** Reads streams, files and URLs. */
  normalize: (callback: (error: Error | null, data: object) => void) => void;
}

/** Message data as given to `sendMail`. */
interface Given {
  headers?: object;
  attachments?: { contentDisposition?: string; cid?: string }[];
  inReplyTo?: unknown;
  references?: unknown;
}

/** Message data once `normalize` has read it. */
interface Resolved {
  subject?: string;
  html?: string;
  text?: string;
  attachments?: Attachment[];
  normalizedHeaders: Record<string, string>;
  signal?: AbortSignal;
}

const FIELDS = new Set(
  "from to cc bcc replyTo inReplyTo references subject html text headers attachments attachDataUrls disableFileAccess disableUrlAccess maxRecipients normalizeHeaderKey signal".split(
    " ",
  ),
);
const ATTACHMENT_FIELDS = new Set(
  "filename content path href httpHeaders encoding contentType contentDisposition cid".split(" "),
);

const invalid = (message: string) => new PostriderError(message, "invalid_call");

/** Creates the transport. Its errors are `PostriderError`s. */
export function postriderTransport(options: PostriderTransportOptions) {
  const { projectId } = options;
  const client = createClient(options);

  async function sendMail(mail: MailMessage): Promise<SentMail> {
    const given: Given = requireKnown(mail.data, FIELDS);
    for (const one of given.attachments ?? [])
      requireDisposition(requireKnown(one, ATTACHMENT_FIELDS, "attachments."));
    const headers = headersOf(given.headers ?? {});
    const { from = [], to = [], cc = [], bcc = [], ...rest } = mail.message.getAddresses();
    if (from.length > 1) throw invalid("an email has one `from` address");
    const resolved = await new Promise<Resolved>((resolve, reject) =>
      mail.normalize((error, data) => (error ? reject(error) : resolve(data as Resolved))),
    );
    const { subject = "", html = "", text = "", attachments = [], signal } = resolved;
    const { "in-reply-to": inReplyTo = "", references = "" } = resolved.normalizedHeaders;
    const [sender] = from.map(mailboxOf);
    const body = {
      ...(sender === undefined ? {} : { from: sender }),
      to: to.map(mailboxOf),
      cc: cc.map(mailboxOf),
      bcc: bcc.map(mailboxOf),
      reply_to: (rest["reply-to"] ?? []).map(mailboxOf),
      subject,
      html_body: html,
      text_body: text,
      headers: {
        ...headers,
        ...(given.inReplyTo ? { "In-Reply-To": inReplyTo } : {}),
        ...(given.references ? { References: references } : {}),
      },
      attachments: attachments.map(attachmentOf),
    };
    const sent = await client.projects.send({ projectId, body }, signal ? { signal } : {});
    return { messageId: sent.id, envelope: mail.message.getEnvelope() };
  }

  async function answer(mail: MailMessage, callback: Callback): Promise<void> {
    let sent: SentMail;
    try {
      sent = await sendMail(mail);
    } catch (error) {
      callback(error as Error);
      return;
    }
    callback(null, sent);
  }

  return {
    name: "postrider",
    version: "1", // of the API
    supportsAbortSignal: true,
    send(mail: MailMessage, callback: Callback): void {
      void answer(mail, callback);
    },
  };
}

/** Throws for a field that is set but not in `known`, so that none is dropped. */
function requireKnown<T extends object>(given: T, known: Set<string>, path = ""): T {
  for (const [field, value] of Object.entries(given))
    if (!known.has(field) && value !== undefined && value !== null && value !== false)
      throw invalid(`Postrider has no \`${path}${field}\``);
  return given;
}

/** Throws for an attachment whose disposition the service would not use. */
function requireDisposition(given: { contentDisposition?: string; cid?: string }): void {
  const own = given.cid ? "inline" : "attachment";
  if ((given.contentDisposition ?? own) !== own)
    throw invalid(`\`contentDisposition\` is \`inline\` with a \`cid\` and \`attachment\` without`);
}

/** Reads headers in either form of nodemailer. */
function headersOf(given: object): Record<string, string> {
  const pairs: [string, unknown][] = Array.isArray(given)
    ? given.map(({ key, value }: { key: string; value: unknown }) => [key, value])
    : Object.entries(given);
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    const prepared = typeof value === "object" && value !== null && "value" in value;
    const text = prepared ? value.value : value;
    if (text === undefined || text === null || text === "") continue;
    if ((typeof text !== "string" && typeof text !== "number") || headers.has(name))
      throw invalid(`the header ${name} has one text`);
    headers.set(name, String(text));
  }
  return Object.fromEntries(headers);
}

const mailboxOf = ({ name = "", address = "" }: Address) =>
  name === "" ? address : `"${name.replaceAll(/["\\]/g, "\\$&")}" <${address}>`;

function attachmentOf({ filename, contentType, content = "", encoding, cid }: Attachment) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (!(bytes instanceof Uint8Array)) throw invalid(`the attachment ${filename} has no content`);
  return {
    filename,
    content_type: contentType,
    content: encoding === "base64" ? String(content) : base64Of(bytes),
    ...(cid ? { content_id: cid.replaceAll(/[<>]/g, "") } : {}),
  };
}

function base64Of(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
