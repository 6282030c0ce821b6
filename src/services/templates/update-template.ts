import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { changedMeanwhile } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { checkTemplate } from "./render-template.ts";
import { selectTemplate, templateIs, updateTemplateRow, type TemplateRow } from "./queries.ts";
import type { TemplateInput } from "./template-input.ts";
import { firstTemplate } from "./read-templates.ts";
import { keepVersion, pruneVersions } from "./version-queries.ts";

/**
 * Changes the given fields, and stores the previous state as a version. `metadata` is for the audit
 * log. Throws not_found,
 * precondition_failed if the template's version is not one of the expected ones, and 400 if a part
 * does not parse.
 */
export async function updateTemplate(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  change: Partial<TemplateInput>,
  expected: number[] | undefined,
  metadata: Record<string, string> = {},
): Promise<TemplateRow> {
  const { db, newId, now } = ctx.deps;
  checkTemplate(change);
  const takes = templateIs(project.id, id, expected);
  const fact = { scopeId: project.id, action: "template.update", targetId: id, metadata } as const;
  const [, , rows, , kept] = await runBatch(db, [
    auditStatement(ctx, fact, takes),
    keepVersion(db, id, newId(), takes),
    updateTemplateRow(db, project.id, id, change, now(), takes),
    pruneVersions(db, project.id, id),
    selectTemplate(db, project.id, id),
  ]);
  const [updated] = rows;
  if (updated) return updated;
  firstTemplate(kept);
  throw changedMeanwhile("template");
}
