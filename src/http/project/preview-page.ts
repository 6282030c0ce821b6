import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { escapeHtml } from "../../mail/html/entities.ts";
import type { Preview } from "../../services/mailing/index.ts";
import type { HttpContext } from "../http-env.ts";

export const FORM_TYPE = "application/x-www-form-urlencoded";

/**
 * Policy of a previewed mail: its own styles and images, no scripts, no forms, no windows (Content
 * Security Policy Level 3, "sandbox"). The frame decides on the origin, so that the block editor can
 * listen for clicks; without scripts, no content can use it.
 */
const POLICY = [
  "sandbox allow-same-origin",
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' https: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** A day, in the browser alone. */
const KEPT = "private, max-age=86400, immutable";

/** Parses a form, in which the field `name` is JSON. Throws invalid_request. */
function fieldsOfForm(bytes: Uint8Array, name: string): Record<string, unknown> {
  const fields = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
  const text = fields[name];
  if (text === undefined) return fields;
  try {
    return { ...fields, [name]: JSON.parse(text) };
  } catch {
    throw invalidField(name, faultOf("not_json"));
  }
}

/** Parses a form whose field `name` has the body as JSON. Throws invalid_request. */
export const parsedField = (bytes: Uint8Array, name: string): unknown =>
  fieldsOfForm(bytes, name)[name];

/** Parsers of a preview's body besides JSON. */
export const FORM_TYPES = { [FORM_TYPE]: (bytes: Uint8Array) => fieldsOfForm(bytes, "data") };

/** Returns true if a form sent the request, whose response a frame shows. */
export const isForm = (c: HttpContext): boolean =>
  c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase() === FORM_TYPE;

/**
 * Responds with the rendered HTML as a page of its own, which inherits no policy. A browser may keep
 * one that no longer changes, if nobody's data is in it.
 */
export function answerPage(
  c: HttpContext,
  { html, problems }: Pick<Preview, "html" | "problems">,
  isKept = false,
): Response {
  const said = problems
    .filter(({ field }) => field === "html_body")
    .map(({ message }) => `<p>${escapeHtml(message)}</p>`)
    .join("");
  return c.body(html ?? said, 200, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    "Cache-Control": isKept ? KEPT : "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
  });
}
