import { AppError, inField } from "../../errors.ts";
import { compileTemplate, createTemplateCache, renderTemplate } from "../../mail/template/index.ts";

/** A mail with its variables filled in. */
export interface RenderedMail {
  subject: string;
  html: string;
  /** Empty if the template has no text part. */
  text: string;
  /** Plain text that email clients show next to the subject, instead of the start of the mail. */
  previewText?: string;
}

/** A template to render: `version` changes with every change of a part, and is the cache key. */
export interface RenderSource {
  version: string;
  subject: string;
  htmlBody: string;
  textBody: string;
  /** The preheader of a template, or the preview text of a broadcast. */
  previewText?: string | undefined;
}

const cache = createTemplateCache();

/** Content passed in a send instead of a template's name. */
export type InlineTemplate = Omit<RenderSource, "version">;

/** Throws 400 with the field, the line and the reason if a given part does not parse. */
export function checkTemplate(parts: Partial<InlineTemplate> & { preheader?: string }): void {
  checkPart("subject", parts.subject, false);
  checkPart("preview_text", parts.previewText, false);
  checkPart("preheader", parts.preheader, false);
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
    if (error instanceof AppError) throw inField(field, error);
    throw error;
  }
}

/** Validates content passed in a send, like `checkTemplate`, under the names of its fields. */
export function checkInline({ subject, html }: { subject?: string; html?: string }): void {
  checkPart("subject", subject, false);
  checkPart("html", html, true);
}

/** Renders a subject. Throws 400 if the result exceeds the size limit. */
export type SubjectOf = (data: Record<string, unknown>) => string;

/**
 * Compiles the subject passed in a send instead of its template's. Throws 400 if it does not parse.
 */
function compileSubject(source: string): SubjectOf {
  const compiled = compilePart("subject", source, false);
  return (data) => renderTemplate(compiled, data);
}

/** Returns the subject of a template, ignoring its bodies. */
export function ownSubject({
  version,
  subject,
}: Pick<RenderSource, "version" | "subject">): SubjectOf {
  return (data) =>
    renderTemplate(cache.get(`${version}:subject`, subject, { escape: false }), data);
}

/**
 * Returns the subject of a send: the given one, or the template's. Throws 400 if it does
 * not parse.
 */
export function subjectOf(template: RenderSource, given: string | undefined): SubjectOf {
  return given === undefined ? ownSubject(template) : compileSubject(given);
}

/**
 * Renders a template that is used once, without caching it. Throws 400 as `checkTemplate` and
 * `renderMail` do.
 */
export function renderOnce(
  { subject, htmlBody, textBody, previewText = "" }: InlineTemplate,
  data: Record<string, unknown>,
): RenderedMail {
  const part = (field: string, source: string, escape: boolean) =>
    renderTemplate(compilePart(field, source, escape), data);
  return {
    subject: part("subject", subject, false),
    html: part("html", htmlBody, true),
    text: part("text", textBody, false),
    previewText: part("preheader", previewText, false),
  };
}

/**
 * Renders a mail: values are escaped in HTML, unchanged in subject and text (API reference §10.2).
 * Throws 400 if a part exceeds its size limit or does not render with this data.
 */
export function renderMail(source: RenderSource, data: Record<string, unknown>): RenderedMail {
  return { subject: ownSubject(source)(data), ...renderBodies(source, data) };
}

/**
 * Renders a mail as `renderMail` does, without the subject. `preheader` replaces the preview text.
 * Throws 400 if it does not parse.
 */
export function renderBodies(
  { version, htmlBody, textBody, previewText = "" }: Omit<RenderSource, "subject">,
  data: Record<string, unknown>,
  preheader?: string,
): Omit<RenderedMail, "subject"> {
  const part = (name: string, text: string, escape: boolean) =>
    renderTemplate(cache.get(`${version}:${name}`, text, { escape }), data);
  const preview = () =>
    preheader === undefined
      ? part("preview", previewText, false)
      : renderTemplate(compilePart("preheader", preheader, false), data);
  return {
    html: part("html", htmlBody, true),
    text: part("text", textBody, false),
    ...((preheader ?? previewText) === "" ? {} : { previewText: preview() }),
  };
}
