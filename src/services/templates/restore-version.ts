import type { Ctx } from "../../context.ts";
import type { ProjectRow } from "../access/index.ts";
import type { TemplateRow } from "./queries.ts";
import { getVersion } from "./read-versions.ts";
import { updateTemplate } from "./update-template.ts";

/**
 * Restores the subject, the bodies and the preheader of a template's version, which never change. Its current
 * state becomes a version, so nothing is lost. Its name, `public` and `tracking` stay: an old version must not
 * make a template available to unauthenticated callers. Throws as `getVersion` and
 * `updateTemplate` do.
 */
export async function restoreVersion(
  ctx: Ctx,
  project: ProjectRow,
  templateId: string,
  id: string,
  expected: number[] | undefined,
): Promise<TemplateRow> {
  const version = await getVersion(ctx, project, templateId, id);
  const { subject, htmlBody, textBody, preheader } = version;
  const content = { subject, htmlBody, textBody, preheader };
  return updateTemplate(ctx, project, templateId, content, expected, { restored: id });
}
