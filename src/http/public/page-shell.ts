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
import type { HttpContext } from "../http-env.ts";
import { brandStyle, logoOf, type PageSender } from "./page-brand.ts";
import { NO_STORE } from "./no-store.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #57606a; --paper: #f6f8fa; --card: #fff; --line: #d0d7de; --act: #1f5fbf; --on-act: #fff; --bad: #b3261e; --link: var(--act); --foot: var(--soft); --text-font: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; --heading-font: var(--text-font); }
@media (prefers-color-scheme: dark) {
  .logo { padding: 8px; background: #fff; } /* drawn for light paper */
  :root { --ink: #e6edf3; --soft: #a5b1bd; --paper: #0d1117; --card: #161b22; --line: #3d444d; --act: #6cb0ff; --on-act: #0d1117; --bad: #ff9a92; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100svh; display: grid; align-content: center; justify-items: center; gap: 16px; padding: 16px; background: var(--paper); color: var(--ink); font: 17px/1.5 var(--text-font); }
main { width: 100%; max-width: 480px; padding: 32px 24px; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.wide { align-content: start; padding-top: 32px; }
.wide main { max-width: 720px; }
h1, h2, h3 { font-family: var(--heading-font); }
h1 { margin: 0 0 12px; font-size: 26px; line-height: 1.25; }
a { color: var(--link); }
.logo { display: block; max-width: 100%; height: auto; margin: 0 0 24px; border-radius: 4px; }
.foot { max-width: 480px; color: var(--foot); font-size: 14px; text-align: center; overflow-wrap: anywhere; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
form { margin: 24px 0 0; }
h2 { margin: 28px 0 8px; font-size: 20px; line-height: 1.3; }
fieldset { margin: 0; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
label { display: flex; gap: 12px; align-items: flex-start; padding: 10px 0; cursor: pointer; overflow-wrap: anywhere; }
label small { display: block; color: var(--soft); font-size: 15px; }
input[type="checkbox"] { flex: none; width: 22px; height: 22px; margin: 2px 0 0; accent-color: var(--link); }
.notice { padding: 12px 16px; border: 2px solid var(--link); border-radius: 8px; }
li { margin: 0 0 8px; overflow-wrap: anywhere; }
ul { margin: 0; padding: 0 0 0 20px; }
form p { color: var(--soft); font-size: 16px; }
button { min-height: 48px; padding: 10px 24px; font: inherit; font-weight: 600; border-radius: 8px; cursor: pointer; border: 2px solid var(--act); background: var(--act); color: var(--on-act); }
button.quiet { background: transparent; border-color: var(--link); color: var(--link); }
.lines { white-space: pre-line; }
.field { margin: 0 0 16px; }
.field > label { display: block; padding: 0 0 4px; font-weight: 600; }
.field > :is(input, select) { width: 100%; min-height: 44px; padding: 8px 12px; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 8px; }
.fault { display: block; color: var(--bad); font-weight: 600; }
.fault:empty { display: none; }
.trap { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; }
@media (max-width: 480px) { button { width: 100%; } }
`;

/** The complete style element: the hash in the policy below covers exactly these bytes. */
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`);
const hashOf = (style: string) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
const STYLE_HASH = hashOf(STYLE);

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
  { language = "en", sender, isWide = false, publicFor, head, policy = {} }: PageOptions = {},
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
        <body class="${isWide ? "wide" : "narrow"}">
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
