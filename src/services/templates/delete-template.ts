import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { deleteTemplateRow, templateExists, templateFacts } from "./queries.ts";
import { templateAudit } from "./template-audit.ts";

/** Removes a template; log entries keep its id. Throws not_found. */
export async function deleteTemplate(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { db } = ctx.deps;
  const removed = { ...templateAudit(project, "template.delete", id), metadata: templateFacts(id) };
  const [, deleted] = await runBatch(db, [
    auditStatement(ctx, removed, templateExists(project.id, id)),
    deleteTemplateRow(db, project.id, id),
  ]);
  if (deleted.length === 0) throw notFound("template");
}
