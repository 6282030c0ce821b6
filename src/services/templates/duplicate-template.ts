import type { Ctx } from "../../context.ts";
import { cutText } from "../../lib/cut-text.ts";
import type { ProjectRow } from "../access/index.ts";
import { createTemplate } from "./create-template.ts";
import type { TemplateRow } from "./queries.ts";
import { getTemplate } from "./read-templates.ts";

/** The number of characters that a copy keeps of the name. */
const COPIED_NAME_CHARACTERS = 90;

/**
 * Copies a template under the given name, or as "<name> (copy)". The copy is not public and has no
 * versions. Throws not_found.
 */
export async function duplicateTemplate(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  name: string | undefined,
): Promise<TemplateRow> {
  const {
    name: own,
    subject,
    htmlBody,
    textBody,
    preheader,
    tracking,
  } = await getTemplate(ctx, project, id);
  const copied = name ?? `${cutText(own, COPIED_NAME_CHARACTERS)} (copy)`;
  return createTemplate(ctx, project, {
    name: copied,
    subject,
    htmlBody,
    textBody,
    preheader,
    tracking,
    isPublic: false,
  });
}
