/*
 * The pages that a subscriber sees: one column, readable on a phone, light and dark, without
 * scripts. Hono's `html` escapes every inserted value.
 */
import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { NO_STORE } from "./no-store.ts";

/** The form field that carries the token of an undo. */
export const UNDO_FIELD = "undo";

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
form p { color: var(--soft); font-size: 16px; }
button { min-height: 48px; padding: 10px 24px; font: inherit; font-weight: 600; border-radius: 8px; cursor: pointer; border: 2px solid var(--act); background: var(--act); color: var(--on-act); }
button.quiet { background: transparent; color: var(--act); }
:focus-visible { outline: 3px solid var(--act); outline-offset: 3px; }
@media (max-width: 480px) { button { width: 100%; } }
`;

/** The style element in one piece: the policy below holds for exactly these bytes. */
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`);
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/**
 * Headers of every page: browsers run, frame, cache and index nothing, and reveal nothing to other
 * sites.
 */
export const PAGE_HEADERS = {
  ...NO_STORE,
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex, nofollow",
};

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

function page(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
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

/**
 * The field that a mail program posts, and that the buttons of these pages post too (RFC 8058
 * §3.1).
 */
const ONE_CLICK = html`<input type="hidden" name="List-Unsubscribe" value="One-Click" />`;

/** Returns the page after an unsubscription; given a token, it offers to undo it. */
export function unsubscribedPage(email: string, undoToken: string | undefined): Html {
  const words = html`<p><strong>${email}</strong> will get no more mail from this list.</p>`;
  if (undoToken === undefined) return page("You are unsubscribed", words);
  return page(
    "You are unsubscribed",
    html`${words}
      <form method="post">
        <p>Was this a mistake?</p>
        <input type="hidden" name="${UNDO_FIELD}" value="${undoToken}" />
        <button class="quiet">Subscribe me again</button>
      </form>`,
  );
}

/** Returns the page after an undo. */
export function resubscribedPage(email: string): Html {
  return page(
    "You are subscribed again",
    html`<p><strong>${email}</strong> will get mail from this list as before.</p>
      <form method="post">
        ${ONE_CLICK}
        <button class="quiet">Unsubscribe</button>
      </form>`,
  );
}

/** Returns the page for visitors who may not be the subscriber: nothing has happened yet. */
export function confirmPage(email: string): Html {
  return page(
    "Unsubscribe from this list?",
    html`<p>
        Press the button, and <strong>${email}</strong> will get no more mail from this list.
      </p>
      <form method="post">
        ${ONE_CLICK}
        <button>Unsubscribe</button>
      </form>`,
  );
}

/** Returns the page for links that lead to nobody; it is the same for every fault of a link. */
export function unknownLinkPage(): Html {
  return page(
    "This link does not work",
    html`<p>Perhaps it was cut off on its way, or the subscription is already gone.</p>
      <p>Please try the unsubscribe link of a newer mail from the same sender.</p>`,
  );
}

/** Returns the page for faults on our side, and for forms that these pages did not make. */
export function failedPage(): Html {
  return page(
    "That did not work",
    html`<p>Nothing has been changed. Please open the link in your mail again in a moment.</p>`,
  );
}
