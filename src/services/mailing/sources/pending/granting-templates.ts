import type { Deps } from "../../../../deps.ts";
import { runBatch } from "../../../../db/client.ts";
import { linkMail, type LinkMail } from "../../../../mail/system-templates/index.ts";
import { printsConfirmation } from "../../../../mail/template/index.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { audienceSettingsOf } from "../../../projects/index.ts";
import type { PendingMail } from "../../../subscribers/index.ts";
import {
  builtInTemplate,
  mailTemplate,
  selectTemplate,
  type MailTemplate,
} from "../../../templates/index.ts";

/**
 * Returns the template of a mail that asks for a confirmation: the one that the join named,
 * otherwise that of the project's settings, otherwise the built-in one. A template without the link
 * counts as none, so no mail asks for a confirmation that nobody can give.
 */
export async function confirmationTemplate(
  { db }: Deps,
  project: ProjectRow,
  { templateId }: Pick<PendingMail, "templateId">,
): Promise<MailTemplate> {
  const { confirmationTemplateId } = audienceSettingsOf(project);
  const ids = [templateId, confirmationTemplateId].filter((id) => id !== null);
  const found = (
    await runBatch(
      db,
      ids.map((id) => selectTemplate(db, project.id, id)),
    )
  ).flat();
  const own = found.find(({ htmlBody }) => printsConfirmation(htmlBody));
  return own ? mailTemplate(own) : grantingTemplate(project, "confirmation");
}

/** Returns the built-in mail whose link grants something, in the project's language and look. */
export function grantingTemplate(project: ProjectRow, kind: LinkMail): MailTemplate {
  const { language } = audienceSettingsOf(project);
  return builtInTemplate(project, `${kind}:${language}`, linkMail(kind, language));
}
