import { AppError } from "../../errors.ts";
import { compileTemplate, createTemplateCache, renderTemplate } from "../../mail/template/index.ts";

/** The parts of a mail after the variables were put in. */
export interface RenderedMail {
  subject: string;
  html: string;
  /** Empty when the template has no text part. */
  text: string;
}

/** A template as it is rendered: `version` changes whenever a part does, and keys the cache. */
export interface RenderSource {
  version: string;
  subject: string;
  htmlBody: string;
  textBody: string;
}

/** Compiled parts kept in an isolate: about 2 MB at 8 KB a template. */
const CACHED_PARTS = 256;

const cache = createTemplateCache(CACHED_PARTS);

/** What a send brings with it instead of naming a template. */
export type InlineTemplate = Omit<RenderSource, "version">;

/** Throws bad_request naming the field, the line and the reason when a given part does not parse. */
export function checkTemplate(parts: Partial<InlineTemplate>): void {
  checkPart("subject", parts.subject, false);
  checkPart("html_body", parts.htmlBody, true);
  checkPart("text_body", parts.textBody, false);
}

function checkPart(field: string, source: string | undefined, escape: boolean): void {
  if (source !== undefined) compilePart(field, source, escape);
}

function compilePart(field: string, source: string, escape: boolean) {
  try {
    return compileTemplate(source, { escape });
  } catch (error) {
    if (error instanceof AppError) throw new AppError(error.code, `${field}: ${error.message}`);
    throw error;
  }
}

/** The same for what a send brings with it, by the names its fields have there. */
export function checkInline({ subject, html }: { subject?: string; html?: string }): void {
  checkPart("subject", subject, false);
  checkPart("html", html, true);
}

/** Puts variables into a subject. Throws bad_request when that breaks the budget. */
export type SubjectOf = (data: Record<string, unknown>) => string;

/** The subject that a send brings instead of its template's. Throws bad_request when it does not parse. */
export function compileSubject(source: string): SubjectOf {
  const compiled = compilePart("subject", source, false);
  return (data) => renderTemplate(compiled, data);
}

/** The subject of a template itself, without its bodies. */
export function ownSubject({
  version,
  subject,
}: Pick<RenderSource, "version" | "subject">): SubjectOf {
  return (data) =>
    renderTemplate(cache.get(`${version}:subject`, subject, { escape: false }), data);
}

/**
 * Renders a template that is used this once: it takes no place from the ones that are kept.
 * Throws bad_request as `checkTemplate` and `renderMail` do.
 */
export function renderOnce(
  { subject, htmlBody, textBody }: InlineTemplate,
  data: Record<string, unknown>,
): RenderedMail {
  const part = (field: string, source: string, escape: boolean) =>
    renderTemplate(compilePart(field, source, escape), data);
  return {
    subject: part("subject", subject, false),
    html: part("html", htmlBody, true),
    text: part("text", textBody, false),
  };
}

/**
 * Puts the variables in: escaped in HTML, as they are in subject and text (API reference §10.2).
 * Throws bad_request when a part breaks its budget or cannot be rendered with this data.
 */
export function renderMail(source: RenderSource, data: Record<string, unknown>): RenderedMail {
  return { subject: ownSubject(source)(data), ...renderBodies(source, data) };
}

/** The same without the subject. */
export function renderBodies(
  { version, htmlBody, textBody }: RenderSource,
  data: Record<string, unknown>,
): Omit<RenderedMail, "subject"> {
  const part = (name: string, text: string, escape: boolean) =>
    renderTemplate(cache.get(`${version}:${name}`, text, { escape }), data);
  return { html: part("html", htmlBody, true), text: part("text", textBody, false) };
}
