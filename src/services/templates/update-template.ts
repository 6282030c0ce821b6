import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { checkTemplate } from "./render-template.ts";
import { selectTemplate, templateTakes, updateTemplateRow, type TemplateRow } from "./queries.ts";
import { templateAudit } from "./template-audit.ts";
import { nameTaken, type TemplateInput } from "./template-input.ts";
import { firstTemplate } from "./read-templates.ts";

/**
 * Changes the given fields. Throws not_found, bad_request when a part does not parse, and conflict
 * when another template of the project has the new name.
 */
export async function updateTemplate(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  change: Partial<TemplateInput>,
): Promise<TemplateRow> {
  const { db, now } = ctx.deps;
  checkTemplate(change);
  const takes = templateTakes(project.id, id, change.name);
  const [, rows, kept] = await runBatch(db, [
    auditStatement(ctx, templateAudit(project, "template.update", id), takes),
    updateTemplateRow(db, project.id, id, change, now()),
    selectTemplate(db, project.id, id),
  ]);
  const [updated] = rows;
  if (updated) return updated;
  firstTemplate(kept);
  throw nameTaken(change.name ?? "");
}
