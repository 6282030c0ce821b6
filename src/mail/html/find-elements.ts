import { staysAsIs, trackableUrl, urlText } from "./rewrite-links.ts";
import { attributeOf, tokenizeHtml } from "./tokenize.ts";

/** Carries the offset of an element in the template's source through rendering. */
const PLACE = "data-postrider-at";
const ELEMENTS = new Set(["a", "area", "img"]);

/** A link of a rendered mail. */
export interface FoundLink {
  /** The text that a browser would parse as the URL. */
  url: string;
  /** True when a send would rewrite it. */
  isTrackable: boolean;
  /** Offset of its element in the template's source; undefined if it came from data. */
  at: number | undefined;
}

/** Elements of a mail that a preview checks. */
export interface FoundElements {
  links: FoundLink[];
  /** Offsets of images without alternative text. */
  imagesWithoutAlt: (number | undefined)[];
}

/** Marks each link and image in a template's source with its offset. */
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

/** Finds links and images of a rendered mail, with the offsets that `markPlaces` recorded. */
export function findElements(html: string): FoundElements {
  const found: FoundElements = { links: [], imagesWithoutAlt: [] };
  for (const token of tokenizeHtml(html)) {
    const { kind, name } = token;
    if (kind !== "startTag") continue;
    const attribute = (key: string) => attributeOf(html, token, key);
    const place = attribute(PLACE);
    const at = place === undefined ? undefined : Number(place);
    if (name === "img" && attribute("alt") === undefined) found.imagesWithoutAlt.push(at);
    const href = name === "a" || name === "area" ? attribute("href") : undefined;
    if (href === undefined) continue;
    const isTrackable = trackableUrl(href) !== undefined && !staysAsIs(html, token);
    found.links.push({ url: urlText(href), isTrackable, at });
  }
  return found;
}
