import { createHmac } from "node:crypto";
import type { App } from "../../app.ts";
import { parseEmailAddress, type Mailbox } from "../../mail/address.ts";
import { injectFooter, injectPixel } from "../../mail/html/inject.ts";
import { fillLinks, linkMarks, markLinks, type LinkMarks } from "../../mail/html/mark-links.ts";
import { rewriteLinks } from "../../mail/html/rewrite-links.ts";
import { htmlToText } from "../../mail/html/to-text.ts";
import {
  assembleMail,
  failed,
  namesUnsubscribe,
  NO_EXTRAS,
  subscriberData,
  suppressedOutcome,
  unsubscribeFooter,
  unsubscribeLine,
  type ClaimedMail,
} from "../delivery/index.ts";
import { broadcastLogId } from "../log/index.ts";
import { renderMail } from "../templates/index.ts";
import { clickLink, pixelUrl, unsubscribeUrl } from "../tracking/index.ts";
import { AppError } from "../../errors.ts";
import type { Recipient } from "./claim-queries.ts";
import type { BroadcastRow } from "./queries.ts";

/** The content of a broadcast with everything done once that does not differ by recipient. */
export interface BroadcastContent {
  broadcast: BroadcastRow;
  htmlBody: string;
  textBody: string;
  /** Undefined when links can only be found in each rendered mail. */
  marks: LinkMarks | undefined;
  pixelMark: string;
}

const UNSUBSCRIBE_VARIABLE = "{{unsubscribe_url}}";

/**
 * Parses a broadcast's template once: its links are marked, footer, pixel and a text part are put in.
 * Throws bad_request for HTML no parser takes.
 */
export async function prepareContent(broadcast: BroadcastRow): Promise<BroadcastContent> {
  const secret = createHmac("sha256", broadcast.logKey).update("marks").digest("hex").slice(0, 16);
  const marks = linkMarks(secret);
  const pixelMark = `[[${secret}.gif]]`;
  const hasLink = namesUnsubscribe(broadcast.htmlBody);
  const html = hasLink
    ? broadcast.htmlBody
    : injectFooter(broadcast.htmlBody, unsubscribeFooter(UNSUBSCRIBE_VARIABLE));
  const textLine = hasLink ? "" : unsubscribeLine(UNSUBSCRIBE_VARIABLE);
  const text = broadcast.textBody === "" ? "" : broadcast.textBody + textLine;
  const withPixel = injectPixel(html, pixelMark);
  const marked = await markLinks(withPixel, marks);
  if (marked.kind === "unknowable")
    return { broadcast, htmlBody: withPixel, textBody: text, marks: undefined, pixelMark };
  // No variable of a marked template brings markup, so its text can be made before they are put in.
  return {
    broadcast,
    htmlBody: marked.html,
    textBody: text === "" ? htmlToText(html) : text,
    marks,
    pixelMark,
  };
}

/** The mail of one recipient, rendered; suppressed recipients and broken data are decided here. */
export function claimRecipient(
  app: App,
  from: Mailbox,
  content: BroadcastContent,
  recipient: Recipient,
): ClaimedMail {
  const { broadcast } = content;
  const { id, email, name, suppressed } = recipient;
  const link = unsubscribeUrl(app, broadcast.projectId, id);
  const address = parseEmailAddress(email);
  const facts = {
    logId: broadcastLogId(broadcast, id),
    extras: NO_EXTRAS,
    templateId: broadcast.templateId,
    subscriberId: id,
    broadcastId: broadcast.id,
    content: { subject: broadcast.subject, html: "", text: "" },
  };
  if (!address.ok) {
    const to = { name, address: email as Mailbox["address"] };
    return { mail: { ...facts, to }, next: { decided: failed(email, address.reason) } };
  }
  const to = { name, address: address.address };
  if (suppressed) return { mail: { ...facts, to }, next: { decided: suppressedOutcome(email) } };
  try {
    const data = subscriberData(recipient, {}, link);
    const rendered = renderMail(sourceOf(content), data);
    const mail = { ...facts, to, content: rendered };
    const subscription = { unsubscribeUrl: link, linkInTemplate: true };
    const compose = async () => {
      const html = await finishHtml(app, content, rendered.html, facts.logId, link);
      const text = rendered.text === "" ? htmlToText(rendered.html) : rendered.text;
      const finished = { subject: rendered.subject, html, text };
      return assembleMail(app, { ...mail, from, subscription }, finished);
    };
    return { mail, next: { compose } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { mail: { ...facts, to }, next: { decided: failed(email, error.message) } };
  }
}

function sourceOf({ broadcast, htmlBody, textBody }: BroadcastContent) {
  return { version: `broadcast:${broadcast.id}`, subject: broadcast.subject, htmlBody, textBody };
}

async function finishHtml(
  app: App,
  { marks, pixelMark }: BroadcastContent,
  html: string,
  logId: string,
  unsubscribeLink: string,
): Promise<string> {
  const track = (url: string) => clickLink(app, logId, url);
  const options = { skip: (url: string) => url === unsubscribeLink };
  const linked = marks
    ? await fillLinks(html, marks, track, options)
    : await rewriteLinks(html, track, options);
  return linked.replace(pixelMark, pixelUrl(app, logId));
}
