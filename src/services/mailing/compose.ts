import type { Deps } from "../../deps.ts";
import {
  domainOf,
  parseEmailAddress,
  type EmailAddress,
  type Mailbox,
} from "../../mail/address.ts";
import type { Attachment } from "../../mail/mime-part.ts";
import { composeMessage, usesSmtpUtf8 } from "../../mail/compose.ts";
import { decideTracking, type TrackingSwitches } from "../../lib/tracking-switches.ts";
import { decideUtm, type BroadcastUtm } from "../../lib/utm.ts";
import type { OutgoingMessage } from "../../mail/smtp/index.ts";
import type { SenderAddress } from "../projects/index.ts";
import type { RenderedMail } from "../templates/index.ts";
import { returnPathOf } from "../tracking/index.ts";
import { decorate, isBlank, type Decoration } from "./decorate.ts";
import { feedbackIdOf, type FeedbackParts } from "./feedback-id.ts";

/** A file to attach from a URL. Its answer names what is left out. */
export interface LinkedFile extends Partial<Omit<Attachment, "content">> {
  path: string;
}

/** The optional parts of a mail that the caller of a send may set. */
export interface Extras {
  /** The other addresses in To. Besides its place, each is a copy like one in cc. */
  alsoTo: Mailbox[];
  cc: Mailbox[];
  bcc: Mailbox[];
  replyTo: Mailbox[];
  headers: Record<string, string>;
  attachments: Attachment[];
  /** Files to fetch, which follow the other attachments. */
  files?: LinkedFile[];
  tags: Record<string, string> | null;
  /** What replaces name and address of the project in the From header. The envelope keeps them. */
  from?: Partial<Mailbox>;
}

export const NO_EXTRAS: Extras = {
  alsoTo: [],
  cc: [],
  bcc: [],
  replyTo: [],
  headers: {},
  attachments: [],
  tags: null,
};

/** Returns the Reply-To of a mail; none without a valid address. */
export function repliesTo(address: string | null | undefined): Mailbox[] {
  const parsed = parseEmailAddress(address ?? "");
  return parsed.ok ? [{ name: "", address: parsed.address }] : [];
}

/** Returns the From of a mail with a sender name of its own; that of the project for null. */
export const fromNamed = (name: string | null): Pick<Extras, "from"> =>
  name === null ? {} : { from: { name } };

/** The parts of a message besides its content, and what the service adds to that. */
export interface Addressing extends Omit<Decoration, "tracking" | "utm"> {
  from: SenderAddress;
  to: Mailbox;
  extras: Extras;
  /** The switches of the template and of the mail or broadcast, which override the project's. */
  tracking?: (TrackingSwitches | undefined)[];
  broadcastUtm?: BroadcastUtm | undefined;
  /** The parts of the Feedback-ID. */
  feedback?: FeedbackParts | undefined;
  /** The topic of the mail, which its List-Id names. */
  topic?: { id: string; name: string } | undefined;
}

/**
 * Composes message and envelope of a rendered mail, with all that the service adds to it. It leaves
 * out a blank HTML part, which mail programs would show instead of the text. Bcc appears only in the
 * envelope, whose sender is the return path of the project, if it has one. Throws 400 for values
 * that a header cannot contain.
 */
export async function composeMail(
  deps: Deps,
  addressing: Addressing,
  { subject, ...rendered }: RenderedMail,
): Promise<OutgoingMessage> {
  const { logId, from, to, extras, feedback, topic } = addressing;
  const { html, text, unsubscribeUrl } = await decorate(deps, rendered, {
    ...addressing,
    tracking: decideTracking(from.tracking, ...(addressing.tracking ?? [])),
    utm: decideUtm(from.utm ?? {}, addressing.broadcastUtm),
  });
  const { alsoTo, cc, bcc, replyTo, headers, attachments } = extras;
  const parts = {
    from: { ...from, ...extras.from },
    to: [to, ...alsoTo],
    cc,
    replyTo,
    subject,
    text,
    ...(isBlank(html) ? {} : { html }),
    messageId: messageIdOf(logId, from.address),
    date: new Date(deps.now()),
    headers,
    attachments,
    boundarySeed: logId,
    ...(unsubscribeUrl === undefined ? {} : { listUnsubscribeUrl: unsubscribeUrl }),
    ...(topic ? { list: { name: topic.name, id: `${topic.id}.${domainOf(from.address)}` } } : {}),
    ...(feedback ? { feedbackId: feedbackIdOf(from.address, feedback) } : {}),
  };
  const recipients = [...new Set([to, ...alsoTo, ...cc, ...bcc].map(({ address }) => address))];
  const sender = from.returnPath
    ? await returnPathOf(deps, from.returnPath, { logId, hasCopies: recipients.length > 1 })
    : from.address;
  const smtpUtf8 = usesSmtpUtf8(parts);
  return {
    envelope: { from: sender, to: recipients, smtpUtf8 },
    data: composeMessage(parts),
  };
}

/**
 * Returns the Message-ID that matches a bounce to its log entry. The Message-ID of a mail never
 * changes.
 */
function messageIdOf(logId: string, from: EmailAddress): string {
  return `${logId}@${domainOf(from)}`;
}
