import { randomUUID } from "node:crypto";
import { domainToASCII } from "node:url";
import PostalMime, { type Email } from "postal-mime";

/** A received mail: its envelope, its bytes and its time. */
export interface StoredMessage {
  id: string;
  receivedAt: Date;
  mailFrom: string;
  recipients: string[];
  raw: Buffer;
}

/**
 * Maximum mails and bytes in the store (the oldest are dropped first, never the newest), and
 * maximum distinct recipients to count.
 */
export interface StoreLimits {
  maxMessages: number;
  maxTotalBytes: number;
  maxRecipients: number;
}

export const DEFAULT_STORE_LIMITS: StoreLimits = {
  maxMessages: 1_000,
  maxTotalBytes: 256 * 1024 * 1024,
  maxRecipients: 200_000,
};

/** Counts since the start, including dropped and deleted mails; `kept` counts mails in memory. */
export interface StoreStats {
  received: number;
  /**
   * Distinct envelope recipients, up to `maxRecipients`. If every mail has one recipient, fewer
   * recipients than mails means duplicates.
   */
  recipients: number;
  kept: number;
}

/** Mails of the local mailbox, newest first, in memory only. */
export interface MessageStore {
  add(message: { mailFrom: string; recipients: string[]; raw: Buffer }): StoredMessage;
  /**
   * Returns mails, newest first; `to` filters by a substring of a recipient, ignoring case. An
   * internationalized domain matches in both of its forms (RFC 5890 section 2.3.2).
   */
  list(filter?: { to?: string | undefined; limit?: number | undefined }): StoredMessage[];
  find(id: string): StoredMessage | undefined;
  clear(): void;
  stats(): StoreStats;
}

/** Creates an empty store. */
export function createMessageStore(limits: StoreLimits = DEFAULT_STORE_LIMITS): MessageStore {
  const messages = new Map<string, StoredMessage>();
  const seenRecipients = new Set<string>();
  let totalBytes = 0;
  let received = 0;

  const dropOldest = () => {
    for (const [id, oldest] of messages) {
      if (messages.size <= 1) return;
      if (messages.size <= limits.maxMessages && totalBytes <= limits.maxTotalBytes) return;
      messages.delete(id);
      totalBytes -= oldest.raw.length;
    }
  };

  const noteRecipients = (recipients: string[]) => {
    for (const recipient of recipients) {
      if (seenRecipients.size >= limits.maxRecipients) return;
      seenRecipients.add(recipient.toLowerCase());
    }
  };

  return {
    add(message) {
      const stored = { id: randomUUID(), receivedAt: new Date(), ...message };
      messages.set(stored.id, stored);
      totalBytes += stored.raw.length;
      received += 1;
      noteRecipients(stored.recipients);
      dropOldest();
      return stored;
    },
    list({ to, limit = Infinity } = {}) {
      const newestFirst = [...messages.values()].toReversed();
      const wanted = to?.trim().toLowerCase().normalize("NFC");
      const isWanted = (recipient: string) =>
        formsOf(recipient).some((form) => form.includes(wanted ?? ""));
      const matches = wanted ? newestFirst.filter((m) => m.recipients.some(isWanted)) : newestFirst;
      return matches.slice(0, limit);
    },
    find: (id) => messages.get(id),
    clear() {
      messages.clear();
      totalBytes = 0;
    },
    stats: () => ({ received, recipients: seenRecipients.size, kept: messages.size }),
  };
}

/**
 * Returns a recipient in lowercase, and also with its domain in A-labels, as in the service's
 * responses: the receiver converts those to U-labels.
 */
function formsOf(recipient: string): string[] {
  const lower = recipient.toLowerCase();
  const domainAt = lower.lastIndexOf("@") + 1;
  return [lower, lower.slice(0, domainAt) + domainToASCII(lower.slice(domainAt))];
}

// Mails are parsed on first view, so that a broadcast to thousands costs the mailbox almost
// nothing.
const parsedMessages = new WeakMap<StoredMessage, Promise<Email>>();

/** Parses a mail once; shows the source as text if parsing fails. */
export function parseMessage(message: StoredMessage): Promise<Email> {
  const known = parsedMessages.get(message);
  if (known) return known;
  const parsed = PostalMime.parse(message.raw, { rfc822Attachments: true }).catch(
    (error: unknown): Email => ({
      headers: [],
      headerLines: [],
      subject: `(cannot be parsed: ${String(error)})`,
      text: message.raw.toString("latin1"),
      attachments: [],
    }),
  );
  parsedMessages.set(message, parsed);
  return parsed;
}
