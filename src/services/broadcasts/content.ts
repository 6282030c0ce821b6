import { createHmac } from "node:crypto";
import type { Deps } from "../../deps.ts";
import { parseEmailAddress, type Mailbox } from "../../mail/address.ts";
import { injectFooter, injectPixel } from "../../mail/html/inject.ts";
import { fillLinks, linkMarks, markLinks, type LinkMarks } from "../../mail/html/mark-links.ts";
import { templateToText } from "../../mail/html/template-text.ts";
import { rewriteLinks } from "../../mail/html/rewrite-links.ts";
import { htmlToText } from "../../mail/html/to-text.ts";
import type { OutgoingMessage } from "../../mail/smtp/index.ts";
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
  type MailFacts,
} from "../delivery/index.ts";
import { broadcastLogId } from "../email-log/index.ts";
import { ownSubject, renderMail } from "../templates/index.ts";
import { clickLink, pixelUrl, unsubscribeUrl } from "../tracking/index.ts";
import { AppError } from "../../errors.ts";
import type { Recipient } from "./claim-queries.ts";
import type { BroadcastRow } from "./queries.ts";

/** The bodies of a broadcast after all work that is the same for every recipient. */
interface Bodies {
  htmlBody: string;
  /** The text body; "" if each rendered mail produces its own text part. */
  textBody: string;
  /** The marks of the links; undefined if links can only be found in each rendered mail. */
  marks: LinkMarks | undefined;
  pixelMark: string;
}

/** The shared content of all mails of a broadcast. */
export type BroadcastContent = Bodies & { broadcast: BroadcastRow };

const UNSUBSCRIBE_VARIABLE = "{{unsubscribe_url}}";

/**
 * Prepares the content of a broadcast once for all recipients. Throws bad_request for HTML that
 * cannot be parsed.
 */
export async function prepareContent(broadcast: BroadcastRow): Promise<BroadcastContent> {
  return { broadcast, ...(await prepareBodies(broadcast)) };
}

/**
 * Parses a template once: marks its links and inserts footer, pixel and a text part. Throws
 * bad_request for HTML that cannot be parsed.
 */
export async function prepareBodies({
  logKey,
  htmlBody,
  textBody,
}: Pick<BroadcastRow, "logKey" | "htmlBody" | "textBody">): Promise<Bodies> {
  const secret = createHmac("sha256", logKey).update("marks").digest("hex").slice(0, 16);
  const marks = linkMarks(secret);
  const pixelMark = `[[${secret}.gif]]`;
  const hasLink = namesUnsubscribe(htmlBody);
  const html = hasLink ? htmlBody : injectFooter(htmlBody, unsubscribeFooter(UNSUBSCRIBE_VARIABLE));
  const textLine = hasLink ? "" : unsubscribeLine(UNSUBSCRIBE_VARIABLE);
  const text = textBody === "" ? "" : textBody + textLine;
  const withPixel = injectPixel(html, pixelMark);
  const marked = await markLinks(withPixel, marks);
  if (marked.kind === "unknowable")
    return { htmlBody: withPixel, textBody: text, marks: undefined, pixelMark };
  // No variable of a marked template adds markup, so its text can be made before rendering.
  return {
    htmlBody: marked.html,
    textBody: text === "" ? templateToText(html) : text,
    marks,
    pixelMark,
  };
}

/**
 * Returns the facts of a recipient's mail for the log. The mail renders its bodies when it is
 * composed.
 */
export function factsOfMail(broadcast: BroadcastRow, recipient: Recipient): MailFacts {
  const { id, email, name } = recipient;
  const address = parseEmailAddress(email);
  return {
    logId: broadcastLogId(broadcast, id),
    // The log keeps an address from before a stricter parser as it is stored. No mail goes to it.
    to: { name, address: address.ok ? address.address : (email as Mailbox["address"]) },
    content: { subject: subjectFor(broadcast, recipient), html: "", text: "" },
    extras: NO_EXTRAS,
    templateId: broadcast.templateId,
    subscriberId: id,
    broadcastId: broadcast.id,
  };
}

/** Returns the subject with its variables, or the unrendered subject if it cannot be rendered. */
function subjectFor({ id, subject }: BroadcastRow, recipient: Recipient): string {
  const toSubject = ownSubject({ version: `broadcast:${id}`, subject });
  try {
    return toSubject(subscriberData(recipient, {}, ""));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return subject;
  }
}

/**
 * Returns the mail of one recipient. Decides suppressed recipients and unusable addresses at once.
 */
export function claimRecipient(
  deps: Deps,
  from: Mailbox,
  content: BroadcastContent,
  recipient: Recipient,
): ClaimedMail {
  const { email, suppressed } = recipient;
  const mail = factsOfMail(content.broadcast, recipient);
  const address = parseEmailAddress(email);
  if (!address.ok) return { mail, next: { decided: failed(email, address.reason) } };
  if (suppressed) return { mail, next: { decided: suppressedOutcome(email) } };
  return { mail, next: { compose: () => composeFor(deps, from, content, mail, recipient) } };
}

/**
 * Renders a mail only in its turn, because a group of the largest mails does not fit into memory.
 */
async function composeFor(
  deps: Deps,
  from: Mailbox,
  content: BroadcastContent,
  mail: MailFacts,
  recipient: Recipient,
): Promise<OutgoingMessage> {
  const { broadcast, htmlBody, textBody } = content;
  const link = unsubscribeUrl(deps, broadcast.projectId, recipient.id);
  const source = { version: `broadcast:${broadcast.id}`, subject: broadcast.subject };
  const data = subscriberData(recipient, {}, link);
  const rendered = renderMail({ ...source, htmlBody, textBody }, data);
  const html = await finishHtml(deps, content, rendered.html, mail.logId, link);
  const text = rendered.text === "" ? htmlToText(rendered.html) : rendered.text;
  const subscription = { unsubscribeUrl: link, linkInTemplate: true };
  const finished = { subject: rendered.subject, html, text };
  return assembleMail(deps, { ...mail, from, subscription }, finished);
}

async function finishHtml(
  deps: Deps,
  { marks, pixelMark }: BroadcastContent,
  html: string,
  logId: string,
  unsubscribeLink: string,
): Promise<string> {
  const track = (url: string) => clickLink(deps, logId, url);
  const options = { skip: (url: string) => url === unsubscribeLink };
  const linked = marks
    ? await fillLinks(html, marks, track, options)
    : await rewriteLinks(html, track, options);
  return linked.replace(pixelMark, pixelUrl(deps, logId));
}
