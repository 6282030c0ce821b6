/*
 * The parts that the service adds to a mail: the unsubscribe footer, the open pixel, tracked links
 * and a text part.
 */
import type { Deps } from "../../deps.ts";
import { injectFooter, injectPixel } from "../../mail/html/inject.ts";
import { fillLinks, type LinkMarks } from "../../mail/html/mark-links.ts";
import { rewriteLinks } from "../../mail/html/rewrite-links.ts";
import { htmlToText } from "../../mail/html/to-text.ts";
import type { RenderedMail } from "../templates/index.ts";
import { clickLink } from "../tracking/index.ts";

/**
 * The two parts of a mail, before or after rendering. If the text is empty, it is made from the
 * HTML.
 */
export type Bodies = Pick<RenderedMail, "html" | "text">;

/**
 * Adds the unsubscribe footer to the parts that are not blank. `href` is the link, or a variable
 * that prints it.
 */
export function addFooter({ html, text }: Bodies, href: string): Bodies {
  const footer = `<p style="margin:24px 0 0;font-size:12px;line-height:18px;color:#6b7280;text-align:center"><a href="${href}" style="color:#6b7280">Unsubscribe</a></p>`;
  return {
    html: isBlank(html) ? html : injectFooter(html, footer),
    text: isBlank(text) ? text : `${text}\n\nUnsubscribe: ${href}\n`,
  };
}

/**
 * Adds the open pixel to an HTML part that is not blank. `src` is its address, or a mark that the
 * address replaces.
 */
export function addPixel(html: string, src: string): string {
  return isBlank(html) ? html : injectPixel(html, src);
}

/** Returns true for a part without a visible character, which a reader takes for none. */
export const isBlank = (part: string) => part.trim() === "";

/** The facts that tracked links need. */
export interface LinkTracking {
  logId: string;
  /** The unsubscribe link, which stays as it is. */
  unsubscribeUrl: string | undefined;
  /** The marks around the links, if they were found before rendering. */
  marks?: LinkMarks | undefined;
}

/** Replaces the links of an HTML part with tracked ones. Throws bad_request for invalid HTML. */
export function trackLinks(
  deps: Deps,
  html: string,
  { logId, unsubscribeUrl, marks }: LinkTracking,
): Promise<string> {
  const track = (url: string, tag?: string) => clickLink(deps, logId, url, tag);
  const options = { skip: (url: string) => url === unsubscribeUrl };
  return marks ? fillLinks(html, marks, track, options) : rewriteLinks(html, track, options);
}

/** Returns the text part of a mail: its own, or one made from HTML without tracked links. */
export function textPartOf({ html, text }: Bodies): string {
  return isBlank(text) ? htmlToText(html) : text;
}
