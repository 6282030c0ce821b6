import type { Deps } from "../../../deps.ts";
import { badRequest, notFound } from "../../../errors.ts";
import { linkMarks, markLinks } from "../../../mail/html/mark-links.ts";
import type { ProjectRow } from "../../access/index.ts";
import { checkTemplate, requireBody, selectTemplate } from "../../templates/index.ts";
import type { BroadcastRow } from "../queries.ts";
import type { DraftInput } from "./draft-input.ts";

/** The content and the audience of a draft as its start fixes them. */
export type Frozen = Pick<BroadcastRow, "subject" | "htmlBody" | "textBody" | "where">;

/**
 * Returns what the start of a draft fixes, so that no later change of a template affects it. Throws
 * bad_request for a draft that cannot be sent, and not_found for a template that is gone.
 */
export async function freezeDraft(
  deps: Deps,
  project: ProjectRow,
  id: string,
  input: DraftInput,
): Promise<Frozen> {
  const content = await contentOf(deps, project, input);
  const { subject, htmlBody, textBody } = content;
  if (subject.trim() === "") throw badRequest("subject: is required");
  checkTemplate(content);
  requireBody({ html: htmlBody, text: textBody });
  await markLinks(htmlBody, linkMarks(id)); // refuses HTML that cannot be parsed
  return { subject, htmlBody, textBody, where: null };
}

async function contentOf(
  { db }: Deps,
  project: ProjectRow,
  { templateId, subject, htmlBody, textBody }: DraftInput,
) {
  if (templateId === null) return { subject: subject ?? "", htmlBody, textBody };
  const [template] = await selectTemplate(db, project.id, templateId);
  if (!template) throw notFound("template");
  return {
    subject: subject ?? template.subject,
    htmlBody: template.htmlBody,
    textBody: template.textBody,
  };
}
