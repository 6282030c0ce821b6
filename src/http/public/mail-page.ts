/*
 * Mails as pages. Tenants write their HTML, so the page has no scripts, no forms and an origin of
 * its own: whatever it holds, it reaches no cookie and no page of this service.
 */
import { escapeHtml } from "../../mail/html/entities.ts";
import { attributeOf, tokenizeHtml } from "../../mail/html/tokenize.ts";
import type { Language } from "../../lib/languages.ts";
import type { RenderedMail } from "../../services/templates/index.ts";

/**
 * Content Security Policy Level 3; `sandbox` without `allow-same-origin` makes the origin opaque, so
 * the service's own images are named by its address, which is not https on a developer's machine.
 */
const policyAt = (baseUrl: string) =>
  [
    "default-src 'none'",
    `img-src https: data: ${new URL(baseUrl).origin}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation",
  ].join("; ");

/** Returns the headers of a page that shows a mail. */
export const mailHeaders = ({ baseUrl }: { baseUrl: string }) => ({
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": policyAt(baseUrl),
  "Cross-Origin-Opener-Policy": "unsafe-none", // browsers refuse a sandboxed page with another one
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
});

/**
 * Returns a mail as a document: `head` precedes its own markup, which the parser then merges into
 * this document (HTML standard, "in head" and "in body"). A mail without HTML shows its text below
 * `top`.
 */
export function mailPage(
  { subject, html, text }: RenderedMail,
  language: Language,
  head: string,
  top = "",
): string {
  const lang = escapeHtml(languageIn(html) ?? language);
  const body =
    html.trim() === ""
      ? `<style>:root{color-scheme:light dark}pre{font:16px/1.5 system-ui,sans-serif;white-space:pre-wrap;overflow-wrap:anywhere;max-width:640px;margin:24px auto;padding:0 16px}</style><body>${top}<pre>${escapeHtml(text)}</pre>`
      : html;
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(subject)}</title>${head}${body}`;
}

/** Returns the language that a mail names in its first tag. */
function languageIn(html: string): string | undefined {
  for (const token of tokenizeHtml(html)) {
    if (token.kind !== "startTag") continue;
    return token.name === "html" ? attributeOf(html, token, "lang") : undefined;
  }
  return undefined;
}
