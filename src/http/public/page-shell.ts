/*
 * Layout of the pages that the public sees: one column, mobile-friendly, light and dark, without
 * scripts. Hono's `html` escapes every inserted value.
 */
import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isUnset } from "../../lib/brand.ts";
import type { Language } from "../../lib/languages.ts";
import { brandStyle, PAGE_STYLE } from "../../lib/page-style.ts";
import type { HttpContext } from "../http-env.ts";
import { logoOf, type PageSender } from "./page-brand.ts";
import { NO_STORE } from "./no-store.ts";

/** The complete style element: the hash in the policy below covers exactly these bytes. */
const STYLE_ELEMENT = raw(`<style>${PAGE_STYLE}</style>`);
const hashOf = (style: string) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
const STYLE_HASH = hashOf(PAGE_STYLE);

/** A page's sources by directive of its Content-Security-Policy. */
type Policy = Partial<Record<string, string>>;

const POLICY: Policy = {
  "default-src": "'none'",
  "style-src": STYLE_HASH,
  "form-action": "'self'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'",
};

/** `'none'` counts only alone. */
const policyOf = (...added: Policy[]): string => {
  const names = new Set([POLICY, ...added].flatMap((one) => Object.keys(one)));
  return [...names]
    .map((name) => {
      const sources = [POLICY, ...added].flatMap((one) => one[name] ?? []);
      const named = sources.filter((source) => sources.length === 1 || source !== "'none'");
      return [name, ...named].join(" ");
    })
    .join("; ");
};

const headersOf = (policy: string) => ({
  "Content-Security-Policy": policy,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
});

const NO_INDEX = { ...NO_STORE, "X-Robots-Tag": "noindex, nofollow" };

/** Headers of a page by default: no scripts, no framing, no caching, no indexing, no referrer. */
export const PAGE_HEADERS = { ...NO_INDEX, ...headersOf(policyOf()) };

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A page and its headers, whose policy covers the bytes of its styles. */
export interface Page {
  html: Html;
  headers: Record<string, string>;
}

export interface PageOptions {
  language?: Language;
  sender?: PageSender | undefined;
  /** True for a page to read: up to 720 pixels wide, and not centered vertically. */
  isWide?: boolean;
  /** True to center headings, texts, logo and buttons. */
  isCentered?: boolean;
  /** `Cache-Control` of a page that search engines may index; a page without it is not stored. */
  publicFor?: string;
  /** Further elements of the head, such as a canonical link. */
  head?: Html;
  /** Sources added to the directives of the Content-Security-Policy. */
  policy?: Policy;
}

/** Returns a page with `title` as its title and heading. */
export function page(
  title: string,
  content: Html,
  {
    language = "en",
    sender,
    isWide = false,
    isCentered = false,
    publicFor,
    head,
    policy = {},
  }: PageOptions = {},
): Page {
  const isBranded = sender !== undefined && !isUnset(sender.brand);
  const style = isBranded ? brandStyle(sender.brand) : "";
  const logo = isBranded ? logoOf(sender.brand) : undefined;
  const own: Policy = {
    ...(style === "" ? {} : { "style-src": hashOf(style) }),
    ...(logo === undefined ? {} : { "img-src": logo.origin }),
  };
  const robots = html`<meta name="robots" content="noindex, nofollow" />`;
  return {
    html: html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          ${publicFor === undefined ? robots : ""}
          <title>${title}</title>
          ${STYLE_ELEMENT} ${style === "" ? "" : raw(`<style>${style}</style>`)} ${head ?? ""}
        </head>
        <body class="${isWide ? "wide" : "narrow"}${isCentered ? " center" : ""}">
          <main>
            ${logo?.image ?? ""}
            <h1>${title}</h1>
            ${content}
          </main>
          ${isBranded ? footOf(sender) : ""}
        </body>
      </html> `,
    headers: {
      ...(publicFor === undefined ? NO_INDEX : { "Cache-Control": publicFor }),
      ...headersOf(policyOf(own, policy)),
    },
  };
}

const footOf = ({ name, brand }: PageSender): Html =>
  html`<footer class="foot">
    ${name}${brand.postalAddress === undefined ? "" : html`<br />${brand.postalAddress}`}
  </footer>`;

/** Responds with a page. */
export const show = async (c: HttpContext, shown: Page, status: ContentfulStatusCode = 200) =>
  c.html(await shown.html, status, shown.headers);
