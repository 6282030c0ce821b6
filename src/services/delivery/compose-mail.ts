import type { Deps } from "../../deps.ts";
import { domainOf, type EmailAddress, type Mailbox } from "../../mail/address.ts";
import type { Attachment } from "../../mail/mime-part.ts";
import { composeMessage, usesSmtpUtf8 } from "../../mail/compose.ts";
import { injectFooter, injectPixel } from "../../mail/html/inject.ts";
import { rewriteLinks } from "../../mail/html/rewrite-links.ts";
import { htmlToText } from "../../mail/html/to-text.ts";
import type { OutgoingMessage } from "../../mail/smtp/index.ts";
import type { RenderedMail } from "../templates/index.ts";
import { clickLink, pixelUrl } from "../tracking/index.ts";

/** The optional parts of a mail that the caller of a send may set. */
export interface Extras {
  cc: Mailbox[];
  bcc: Mailbox[];
  replyTo: Mailbox[];
  headers: Record<string, string>;
  attachments: Attachment[];
  tags: Record<string, string> | null;
}

export const NO_EXTRAS: Extras = {
  cc: [],
  bcc: [],
  replyTo: [],
  headers: {},
  attachments: [],
  tags: null,
};

/** A rendered mail that is ready to be composed. */
export interface Draft {
  logId: string;
  from: Mailbox;
  to: Mailbox;
  content: RenderedMail;
  extras: Extras;
  /** Set for mail to a subscriber. Adds the unsubscribe headers, link and open pixel. */
  subscription?: { unsubscribeUrl: string; linkInTemplate: boolean };
  /**
   * Set if links must stay as they are and nothing may be added, because a tracked link would store
   * its token.
   */
  isUntouched?: true;
}

/**
 * Composes the message and envelope of a draft. Tracks links and inserts pixel and unsubscribe
 * parts. Creates a text part if there is none. Bcc appears only in the envelope.
 * Throws bad_request for values that a header cannot contain.
 */
export async function composeMail(deps: Deps, draft: Draft): Promise<OutgoingMessage> {
  const { subscription } = draft;
  const content = subscription ? withUnsubscribe(draft.content, subscription) : draft.content;
  const html = draft.isUntouched ? content.html : await tracked(deps, draft, content.html);
  const text = content.text === "" ? htmlToText(content.html) : content.text;
  return assembleMail(deps, draft, { subject: content.subject, html, text });
}

/** Assembles a message from finished content, which it does not change. */
export function assembleMail(deps: Deps, draft: Draft, content: RenderedMail): OutgoingMessage {
  const { logId, from, to, extras, subscription } = draft;
  const { cc, bcc, replyTo, headers, attachments } = extras;
  const parts = {
    from,
    to: [to],
    cc,
    replyTo,
    ...content,
    messageId: messageIdOf(logId, from.address),
    date: new Date(deps.now()),
    headers,
    attachments,
    boundarySeed: logId,
    ...(subscription ? { listUnsubscribeUrl: subscription.unsubscribeUrl } : {}),
  };
  const recipients = [to, ...cc, ...bcc].map(({ address }) => address);
  const smtpUtf8 = usesSmtpUtf8(parts);
  return {
    envelope: { from: from.address, to: [...new Set(recipients)], smtpUtf8 },
    data: composeMessage(parts),
  };
}

/**
 * Returns the Message-ID that matches a bounce to its log entry. The Message-ID of a mail never
 * changes.
 */
export function messageIdOf(logId: string, from: EmailAddress): string {
  return `${logId}@${domainOf(from)}`;
}

async function tracked(deps: Deps, draft: Draft, html: string): Promise<string> {
  const { logId, subscription } = draft;
  const rewritten = await rewriteLinks(html, (url) => clickLink(deps, logId, url), {
    skip: (url) => url === subscription?.unsubscribeUrl,
  });
  return subscription ? injectPixel(rewritten, pixelUrl(deps, logId)) : rewritten;
}

function withUnsubscribe(
  content: RenderedMail,
  { unsubscribeUrl, linkInTemplate }: NonNullable<Draft["subscription"]>,
): RenderedMail {
  if (linkInTemplate) return content;
  return {
    subject: content.subject,
    html: injectFooter(content.html, unsubscribeFooter(unsubscribeUrl)),
    text: content.text === "" ? "" : content.text + unsubscribeLine(unsubscribeUrl),
  };
}

/**
 * Returns the footer for HTML whose template has no unsubscribe link. `href` is the value of the
 * attribute.
 */
export function unsubscribeFooter(href: string): string {
  return `<p style="margin:24px 0 0;font-size:12px;line-height:18px;color:#6b7280;text-align:center"><a href="${href}" style="color:#6b7280">Unsubscribe</a></p>`;
}

/** Returns the footer for the text part. */
export function unsubscribeLine(url: string): string {
  return `\n\nUnsubscribe: ${url}\n`;
}
