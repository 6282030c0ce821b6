/*
 * Layout of the pages that subscribers see: one column, mobile-friendly, light and dark, without
 * scripts. Hono's `html` escapes every inserted value.
 */
import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Language } from "../../lib/languages.ts";
import type { HttpContext } from "../http-env.ts";
import { NO_STORE } from "./no-store.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #57606a; --paper: #f6f8fa; --card: #fff; --line: #d0d7de; --act: #1f5fbf; --on-act: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #a5b1bd; --paper: #0d1117; --card: #161b22; --line: #3d444d; --act: #6cb0ff; --on-act: #0d1117; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100svh; display: grid; place-items: center; padding: 16px; background: var(--paper); color: var(--ink); font: 17px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 480px; padding: 32px 24px; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
h1 { margin: 0 0 12px; font-size: 26px; line-height: 1.25; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
form { margin: 24px 0 0; }
h2 { margin: 28px 0 8px; font-size: 20px; line-height: 1.3; }
fieldset { margin: 0; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
label { display: flex; gap: 12px; align-items: flex-start; padding: 10px 0; cursor: pointer; overflow-wrap: anywhere; }
label small { display: block; color: var(--soft); font-size: 15px; }
input[type="checkbox"] { flex: none; width: 22px; height: 22px; margin: 2px 0 0; accent-color: var(--act); }
.notice { padding: 12px 16px; border: 2px solid var(--act); border-radius: 8px; }
li { margin: 0 0 8px; overflow-wrap: anywhere; }
ul { margin: 0; padding: 0 0 0 20px; }
form p { color: var(--soft); font-size: 16px; }
button { min-height: 48px; padding: 10px 24px; font: inherit; font-weight: 600; border-radius: 8px; cursor: pointer; border: 2px solid var(--act); background: var(--act); color: var(--on-act); }
button.quiet { background: transparent; color: var(--act); }
:focus-visible { outline: 3px solid var(--act); outline-offset: 3px; }
@media (max-width: 480px) { button { width: 100%; } }
`;

/** The complete style element: the hash in the policy below covers exactly these bytes. */
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`);
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Headers of every page: no scripts, no framing, no caching, no indexing, no referrer. */
export const PAGE_HEADERS = {
  ...NO_STORE,
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex, nofollow",
};

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Returns a page with `title` as its title and heading. */
export function page(title: string, content: Html, language: Language = "en"): Html {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `;
}

/** Responds with a page. */
export const show = async (c: HttpContext, content: Html, status: ContentfulStatusCode = 200) =>
  c.html(await content, status, PAGE_HEADERS);
