import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { insertCopy, templateExists, templateFacts, type TemplateRow } from "./queries.ts";
import { firstTemplate } from "./read-templates.ts";
import { templateAudit } from "./template-audit.ts";

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
  const { db, newId, now } = ctx.deps;
  const copyId = newId();
  const created = {
    ...templateAudit(project, "template.create", copyId),
    metadata: templateFacts(copyId),
  };
  const [rows] = await runBatch(db, [
    insertCopy(db, project.id, id, { id: copyId, name, now: now() }),
    auditStatement(ctx, created, templateExists(project.id, copyId)),
  ]);
  return firstTemplate(rows);
}
