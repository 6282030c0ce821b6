import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { changedMeanwhile } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { deleteTemplateRow, selectTemplate, templateFacts, templateIs } from "./queries.ts";
import { firstTemplate } from "./read-templates.ts";
import { deleteVersions } from "./version-queries.ts";

/**
 * Deletes a template with its versions; log entries keep its id. Throws not_found, and
 * precondition_failed if the template's version is not one of the expected ones.
 */
export async function deleteTemplate(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  expected: number[] | undefined,
): Promise<void> {
  const { db } = ctx.deps;
  const removed = {
    scopeId: project.id,
    action: "template.delete",
    targetId: id,
    metadata: templateFacts(id),
  } as const;
  const is = templateIs(project.id, id, expected);
  const [, , deleted, kept] = await runBatch(db, [
    auditStatement(ctx, removed, is),
    deleteVersions(db, project.id, id, is),
    deleteTemplateRow(db, project.id, id, is),
    selectTemplate(db, project.id, id),
  ]);
  if (deleted.length > 0) return;
  firstTemplate(kept);
  throw changedMeanwhile("template");
}
