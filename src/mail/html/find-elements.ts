import { trackableUrl, urlText } from "./rewrite-links.ts";
import { tokenizeHtml, type HtmlToken } from "./tokenize.ts";

/** Carries the offset of an element in the source of a template through its rendering. */
const PLACE = "data-postrider-at";
const ELEMENTS = new Set(["a", "area", "img"]);

/** A link of a rendered mail. */
export interface FoundLink {
  /** The text that a browser would parse as the URL. */
  url: string;
  /** True when a send would rewrite it. */
  isTrackable: boolean;
  /**
   * The offset of its element in the source of the template; undefined for one that data brought.
   */
  at: number | undefined;
}

/** The parts of a mail that a preview judges. */
export interface FoundElements {
  links: FoundLink[];
  /** The places of images without a text for readers who do not see them. */
  imagesWithoutAlt: (number | undefined)[];
}

/** Notes in each link and image of a template's source where it stands. */
export function markPlaces(source: string): string {
  const pieces: string[] = [];
  let position = 0;
  for (const { kind, name, start } of tokenizeHtml(source)) {
    if (kind !== "startTag" || !ELEMENTS.has(name)) continue;
    const nameEnd = start + 1 + name.length;
    pieces.push(source.slice(position, nameEnd), ` ${PLACE}=${start}`);
    position = nameEnd;
  }
  return pieces.join("") + source.slice(position);
}

/** Finds links and images of a rendered mail, with the places that `markPlaces` noted. */
export function findElements(html: string): FoundElements {
  const found: FoundElements = { links: [], imagesWithoutAlt: [] };
  for (const token of tokenizeHtml(html)) {
    const { kind, name, attributes } = token;
    if (kind !== "startTag") continue;
    if (name === "img" && !attributes.has("alt")) found.imagesWithoutAlt.push(placeOf(token));
    const href = name === "a" || name === "area" ? attributes.get("href") : undefined;
    if (href !== undefined) found.links.push(linkOf(token, href));
  }
  return found;
}

function linkOf(token: HtmlToken, href: string): FoundLink {
  const isTrackable = trackableUrl(href) !== undefined && !token.attributes.has("data-no-track");
  return { url: urlText(href), isTrackable, at: placeOf(token) };
}

function placeOf({ attributes }: HtmlToken): number | undefined {
  const place = attributes.get(PLACE);
  return place === undefined ? undefined : Number(place);
}
