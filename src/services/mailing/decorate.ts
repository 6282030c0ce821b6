/*
 * The parts that the service adds to a rendered mail, on every send path: the unsubscribe footer,
 * the open pixel, tracked links and a text part.
 */
import type { Deps } from "../../deps.ts";
import type { TrackingSwitches } from "../../lib/tracking-switches.ts";
import type { Utm } from "../../lib/utm.ts";
import { hiddenPreview } from "../../mail/html/hidden-preview.ts";
import { escapeHtml } from "../../mail/html/entities.ts";
import { addUtm } from "../../mail/html/add-utm.ts";
import { applyEdits, rewriteLinks, type Edit } from "../../mail/html/rewrite-links.ts";
import { readHtml, type ReadHtml } from "../../mail/html/to-text.ts";
import type { RenderedMail } from "../templates/index.ts";
import { clickLink, isViewUrl, pixelUrl, type LinkedMail } from "../tracking/index.ts";

/** The two parts of a mail. If the text is empty, it is made from the HTML. */
export type Bodies = Pick<RenderedMail, "html" | "text" | "previewText">;

/** The unsubscribe link that the variables of a mail hold. */
export interface UnsubscribeLink {
  url: string;
  /**
   * True in mail to a subscriber as such, which must show the link. Any other mail may show it, and
   * is mail of a list only then.
   */
  isRequired: boolean;
  /** True if it is the link of a subscriber. Only their mail has a pixel. */
  isSubscribers: boolean;
}

/** What decides about the parts that a mail gets. */
export interface Decoration extends LinkedMail {
  unsubscribe: UnsubscribeLink | undefined;
  tracking: Required<TrackingSwitches>;
  /** The parameters that its links get. */
  utm: Utm;
  /** True if links must stay as they are: a tracked link would store its token. */
  isUntouched?: boolean | undefined;
}

/** The parts of a mail with all that its reader sees. */
export interface WholeBodies extends Bodies {
  /** The markup added at the end of the HTML body. */
  footer: string;
  read: ReadHtml;
  /** True for a mail that shows the unsubscribe link. */
  isListMail: boolean;
}

/** Returns true for a part without a visible character, which a reader takes for none. */
export const isBlank = (part: string) => part.trim() === "";

/**
 * Makes the text part from the HTML if there is none. Adds the unsubscribe link to each part of
 * mail to subscribers that does not show it: a branch that this recipient does not get may have it.
 */
export function completeBodies(
  { html, text }: Bodies,
  unsubscribe: UnsubscribeLink | undefined,
): WholeBodies {
  const { url = "", isRequired = false } = unsubscribe ?? {};
  const shows = (part: string) => url !== "" && part.includes(url);
  const read = readHtml(html);
  const footer = isRequired && !isBlank(html) && !shows(read.text) ? footerOf(url) : "";
  const own = isBlank(text) ? read.text : text;
  return {
    html: applyEdits(html, [additionTo(read, footer)]),
    text: isRequired && !shows(own) ? `${own}\n\nUnsubscribe: ${url}\n` : own,
    footer,
    read,
    isListMail: isRequired || shows(html) || shows(own),
  };
}

/**
 * Adds to a rendered mail what is missing, its pixel and its tracked links. Returns it with the
 * link of its unsubscribe headers, if it is mail of a list.
 */
export async function decorate(
  deps: Deps,
  bodies: Bodies,
  decoration: Decoration,
): Promise<Bodies & { unsubscribeUrl: string | undefined }> {
  const { logId, unsubscribe, tracking, utm, isUntouched } = decoration;
  const { text, footer, read, isListMail } = completeBodies(bodies, unsubscribe);
  const hasPixel =
    tracking.opens && unsubscribe?.isSubscribers && isListMail && !isBlank(bodies.html);
  const addition = hasPixel ? footer + pixelOf(pixelUrl(deps, logId)) : footer;
  const change = (url: string, tag?: string) => {
    if (url === unsubscribe?.url || isViewUrl(deps, url)) return undefined;
    const target = isOwnUrl(deps, url) ? url : addUtm(url, utm);
    if (tracking.clicks) return clickLink(deps, decoration, target, tag);
    return target === url ? undefined : target;
  };
  const { previewText = "" } = bodies;
  const preview = previewText === "" || isBlank(bodies.html) ? "" : escapeHtml(previewText);
  const links = isUntouched ? [] : await rewriteLinks(bodies.html, read.linkTags, change);
  return {
    html: applyEdits(bodies.html, [
      ...(preview === "" ? [] : [insertion(read.bodyStart, hiddenPreview(preview))]),
      ...links,
      additionTo(read, addition),
    ]),
    text,
    unsubscribeUrl: isListMail ? unsubscribe?.url : undefined,
  };
}

/** Returns true for a URL of the service itself, such as the link to somebody's preferences. */
const isOwnUrl = ({ config }: Deps, url: string) => url.startsWith(`${config.baseUrl}/`);

const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text });

const additionTo = ({ bodyEnd }: ReadHtml, text: string): Edit => insertion(bodyEnd, text);

const footerOf = (href: string) =>
  `<p style="margin:24px 0 0;font-size:12px;line-height:18px;color:#6b7280;text-align:center"><a href="${escapeHtml(href)}" style="color:#6b7280">Unsubscribe</a></p>`;

/** Many mail programs do not fetch an image with `display:none`, so it has one pixel. */
const pixelOf = (src: string) =>
  `<img src="${escapeHtml(src)}" width="1" height="1" alt="" border="0" style="width:1px;height:1px;border:0">`;
