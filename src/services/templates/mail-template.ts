import { notFound } from "../../errors.ts";
import type { TrackingSwitches } from "../../lib/tracking-switches.ts";
import type { Language } from "../../lib/languages.ts";
import { systemTemplate } from "../../mail/system-templates/index.ts";
import type { TemplateRow } from "./queries.ts";
import type { RenderSource } from "./render-template.ts";

/** A template for mails: the project's own, or a built-in one, which has no id. */
export interface MailTemplate extends RenderSource {
  id: string | null;
  tracking?: TrackingSwitches;
}

/**
 * Converts a stored template for mails. An imported template keeps its id and time, but may have
 * different content, so the project is part of the version.
 */
export function mailTemplate({ id, projectId, updatedAt, ...row }: TemplateRow): MailTemplate {
  const { subject, htmlBody, textBody, preheader: previewText, tracking } = row;
  const content = { subject, htmlBody, textBody, previewText, tracking };
  return { id, version: `${projectId}:${id}:${updatedAt}`, ...content };
}

/**
 * Returns the template with a name: the project's own, or else the built-in one in a language.
 * Throws not_found if there is neither.
 */
export function templateNamed(
  own: MailTemplate | undefined,
  name: string,
  language: Language,
): MailTemplate {
  if (own) return own;
  const builtIn = systemTemplate(name, language);
  if (!builtIn) throw notFound("template");
  const { subject, htmlBody, textBody } = builtIn;
  return { id: null, version: `built-in:${name}:${language}`, subject, htmlBody, textBody };
}
