import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { conflict } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import {
  insertCopy,
  selectTemplate,
  templateExists,
  templateFacts,
  type TemplateRow,
} from "./queries.ts";
import { firstTemplate } from "./read-templates.ts";
import { templateAudit } from "./template-audit.ts";
import { nameTaken } from "./template-input.ts";

/**
 * Copies a template under the given name, or under the first free "<name> (copy)". The copy is not
 * public and has no versions. Throws not_found, and conflict when the name is taken.
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
  const [rows, , templates] = await runBatch(db, [
    insertCopy(db, project.id, id, { id: copyId, name, now: now() }),
    auditStatement(ctx, created, templateExists(project.id, copyId)),
    selectTemplate(db, project.id, id),
  ]);
  const [copy] = rows;
  if (copy) return copy;
  firstTemplate(templates);
  throw name === undefined ? conflict("the template has too many copies") : nameTaken(name);
}
