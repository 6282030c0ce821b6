import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { escapeHtml } from "../../mail/html/entities.ts";
import type { Preview } from "../../services/mailing/index.ts";
import type { HttpContext } from "../http-env.ts";

const FORM_TYPE = "application/x-www-form-urlencoded";

/**
 * The policy of a previewed mail: it has its own styles and its images. It runs nothing, sends no
 * form, and has an origin of its own (Content Security Policy Level 3, "sandbox").
 */
const POLICY = [
  "sandbox",
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src https: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** Parses the fields of a form; `data` is JSON. Throws invalid_request. */
function fieldsOfForm(bytes: Uint8Array): unknown {
  const { data, ...fields } = Object.fromEntries(
    new URLSearchParams(new TextDecoder().decode(bytes)),
  );
  if (data === undefined) return fields;
  try {
    return { ...fields, data: JSON.parse(data) };
  } catch {
    throw invalidField("data", faultOf("not_json"));
  }
}

/** The parsers of a preview's body besides JSON. */
export const FORM_TYPES = { [FORM_TYPE]: fieldsOfForm };

/** Tells whether a form sent the request; a frame shows its answer. */
export const isForm = (c: HttpContext): boolean =>
  c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase() === FORM_TYPE;

/** Answers with the rendered HTML as a page that no policy of another page governs. */
export function answerPage(c: HttpContext, { html, problems }: Preview): Response {
  const said = problems
    .filter(({ field }) => field === "html_body")
    .map(({ message }) => `<p>${escapeHtml(message)}</p>`)
    .join("");
  return c.body(html ?? said, 200, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
  });
}
