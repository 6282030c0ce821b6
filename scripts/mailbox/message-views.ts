import type { Address, Email } from "postal-mime";
import { parseMessage, type StoredMessage } from "./message-store.ts";

/** A row of the inbox, in the API and on the page; `to` is the envelope's, so it includes Bcc. */
export interface MessageSummary {
  id: string;
  received_at: string;
  from: string;
  to: string[];
  subject: string;
  size_bytes: number;
}

/** A complete mail as returned by `GET /api/messages/:id`. */
export interface MessageDetail extends MessageSummary {
  envelope_from: string;
  text: string;
  html: string;
  headers: { name: string; value: string }[];
  attachments: { filename: string; mime_type: string; size_bytes: number }[];
}

/** Summarizes a mail for a row of the inbox. */
export async function summarize(message: StoredMessage): Promise<MessageSummary> {
  const email = await parseMessage(message);
  return {
    id: message.id,
    received_at: message.receivedAt.toISOString(),
    from: email.from ? formatAddress(email.from) : message.mailFrom,
    to: message.recipients,
    subject: email.subject ?? "",
    size_bytes: message.raw.length,
  };
}

/** Describes a mail completely, except for the bytes of its attachments. */
export async function describe(message: StoredMessage): Promise<MessageDetail> {
  const email = await parseMessage(message);
  return {
    ...(await summarize(message)),
    envelope_from: message.mailFrom,
    text: email.text ?? "",
    html: email.html ?? "",
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    attachments: email.attachments.map((attachment, index) => ({
      filename: attachment.filename ?? `part-${index + 1}`,
      mime_type: attachment.mimeType,
      size_bytes: attachmentBytes(attachment).length,
    })),
  };
}

/** Returns the bytes of an attachment, in whichever form the parser stored them. */
export function attachmentBytes({ content }: Email["attachments"][number]): Buffer {
  return typeof content === "string" ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
}

function formatAddress(address: Address): string {
  if (address.group) return address.name;
  return address.name ? `${address.name} <${address.address}>` : address.address;
}
