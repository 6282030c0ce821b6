import { notFound } from "../../errors.ts";
import type { TrackingSwitches } from "../../lib/tracking-switches.ts";
import { isUnset } from "../../lib/brand.ts";
import { branded, systemTemplate } from "../../mail/system-templates/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { audienceSettingsOf, mailSettingsOf } from "../projects/index.ts";
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

type Project = Pick<ProjectRow, "id" | "updatedAt" | "audienceSettings" | "mailSettings">;

/** Returns a built-in template in the look of a project. `name` includes its language. */
export function builtInTemplate(
  { id, updatedAt, mailSettings }: Pick<Project, "id" | "updatedAt" | "mailSettings">,
  name: string,
  { subject, htmlBody, textBody }: Omit<RenderSource, "version">,
): MailTemplate {
  const { brand } = mailSettingsOf({ mailSettings });
  const version = `built-in:${name}${isUnset(brand) ? "" : `:${id}:${updatedAt}`}`;
  return { id: null, version, subject, ...branded({ htmlBody, textBody }, brand) };
}

/**
 * Returns the template with a name: the project's own, or else the built-in one in its language and
 * look. Throws not_found if there is neither.
 */
export function templateNamed(
  own: MailTemplate | undefined,
  name: string,
  project: Project,
): MailTemplate {
  if (own) return own;
  const { language } = audienceSettingsOf(project);
  const builtIn = systemTemplate(name, language);
  if (!builtIn) throw notFound("template");
  return builtInTemplate(project, `${name}:${language}`, builtIn);
}
