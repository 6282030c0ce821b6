import type { Deps } from "../../../deps.ts";
import { runBatch } from "../../../db/client.ts";
import { badRequest, notFound } from "../../../errors.ts";
import { checkTemplate, selectTemplate } from "../../templates/index.ts";
import type { DraftInput } from "./draft-input.ts";

/**
 * Checks what can be checked of a draft that may be incomplete: its parts parse, and the things that it
 * names are the project's own. Throws bad_request and not_found.
 */
export async function checkDraft(deps: Deps, projectId: string, input: DraftInput): Promise<void> {
  const { templateId, subject, htmlBody, textBody } = input;
  checkTemplate({ subject: subject ?? "", htmlBody, textBody });
  if (templateId === null) return;
  if (htmlBody !== "" || textBody !== "")
    throw badRequest("html_body and text_body: must be left out with template_id");
  const [templates] = await runBatch(deps.db, [selectTemplate(deps.db, projectId, templateId)]);
  if (templates.length === 0) throw notFound("template");
}
