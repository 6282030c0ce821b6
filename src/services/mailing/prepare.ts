import type { Deps } from "../../deps.ts";
import { fillLinks, linkMarks, markLinks, type LinkMarks } from "../../mail/html/mark-links.ts";
import { templateToText } from "../../mail/html/template-text.ts";
import type { OutgoingMessage } from "../../mail/smtp/index.ts";
import { renderBodies, showsUnsubscribe, type RenderSource } from "../templates/index.ts";
import { pixelUrl } from "../tracking/index.ts";
import { composeMail, type Addressing } from "./compose.ts";
import { addFooter, addPixel, isBlank, textPartOf, trackLinks, type Bodies } from "./decorate.ts";

/** A mail to many recipients, after all the work that is the same for each of them. */
export interface PreparedMail {
  /** The bodies with footer, pixel mark and link marks. Its version is the secret of the marks. */
  source: Pick<RenderSource, "version" | "htmlBody" | "textBody">;
  /** The marks of the links. Undefined if links can only be found in each rendered mail. */
  marks: LinkMarks | undefined;
  /** The mark of the open pixel. Undefined for mail that does not go to subscribers. */
  pixelMark: string | undefined;
}

const UNSUBSCRIBE_VARIABLE = "{{unsubscribe_url}}";

/**
 * Prepares the bodies of a mail once for all its recipients: marks the links, makes the text part,
 * and adds the footer and the pixel to mail for subscribers. `secret` is a word that nobody who
 * supplies data can guess. The same secret must always belong to the same bodies. Throws
 * bad_request for HTML that cannot be parsed.
 */
export async function prepareMail(
  given: Pick<RenderSource, "htmlBody" | "textBody">,
  { secret, isToSubscribers }: { secret: string; isToSubscribers: boolean },
): Promise<PreparedMail> {
  const marks = linkMarks(secret);
  const pixelMark = isToSubscribers ? `[[${secret}.gif]]` : undefined;
  const version = `prepared:${secret}`;
  const own = { html: given.htmlBody, text: given.textBody };
  const needsFooter = isToSubscribers && !showsUnsubscribe(own);
  const { html, text } = needsFooter ? addFooter(own, UNSUBSCRIBE_VARIABLE) : own;
  const whole = pixelMark === undefined ? html : addPixel(html, pixelMark);
  const marked = await markLinks(whole, marks);
  if (marked.kind === "unknowable")
    return { source: { version, htmlBody: whole, textBody: text }, marks: undefined, pixelMark };
  // No variable of a marked template adds markup, so its text can be made before rendering.
  const textBody = isBlank(text) ? templateToText(html) : text;
  return { source: { version, htmlBody: marked.html, textBody }, marks, pixelMark };
}

/** Renders the bodies of a prepared mail. Throws bad_request as `renderBodies` does. */
export function renderPrepared({ source }: PreparedMail, data: Record<string, unknown>): Bodies {
  return renderBodies(source, data);
}

/**
 * Composes the mail of one recipient from its rendered bodies.
 * Throws bad_request for invalid HTML and for values that a header cannot contain.
 */
export async function composePrepared(
  deps: Deps,
  { marks, pixelMark }: PreparedMail,
  addressing: Addressing,
  { subject, ...rendered }: Bodies & { subject: string },
): Promise<OutgoingMessage> {
  const { logId, unsubscribeUrl } = addressing;
  const linked = await trackLinks(deps, rendered.html, { logId, unsubscribeUrl, marks });
  const html = pixelMark ? linked.replace(pixelMark, pixelUrl(deps, logId)) : linked;
  const text = textPartOf({ ...rendered, html: await withoutMarks(rendered, marks) });
  return composeMail(deps, addressing, { subject, html, text });
}

/** Returns the HTML with its links as they are, if the text part is made from it. */
async function withoutMarks({ html, text }: Bodies, marks: LinkMarks | undefined): Promise<string> {
  return marks && isBlank(text) ? fillLinks(html, marks, () => undefined) : html;
}
