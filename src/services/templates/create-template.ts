import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { checkTemplate } from "./render-template.ts";
import { insertTemplate, templateExists, type TemplateRow } from "./queries.ts";
import { firstTemplate } from "./read-templates.ts";
import type { TemplateInput } from "./template-input.ts";

/** Saves a template. Throws 400 with field, line and reason if a part does not parse. */
export async function createTemplate(
  ctx: Ctx,
  project: ProjectRow,
  input: TemplateInput,
): Promise<TemplateRow> {
  const { db, newId, now } = ctx.deps;
  checkTemplate(input);
  const id = newId();
  const at = now();
  const created = {
    scopeId: project.id,
    action: "template.create",
    targetId: id,
    metadata: { name: input.name },
  } as const;
  const [rows] = await runBatch(db, [
    insertTemplate(db, { id, projectId: project.id, ...input, createdAt: at, updatedAt: at }),
    auditStatement(ctx, created, templateExists(project.id, id)),
  ]);
  return firstTemplate(rows);
}
