import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { changedMeanwhile, notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { selectTemplate, templateIs, type TemplateRow } from "./queries.ts";
import { firstTemplate } from "./read-templates.ts";
import { templateAudit } from "./template-audit.ts";
import {
  keepVersion,
  pruneVersions,
  restoreContent,
  selectVersion,
  versionExists,
} from "./version-queries.ts";

/**
 * Restores the subject and the bodies of a template's version. Its current state becomes a version,
 * so nothing is lost. Its name and `public` stay: an old version must not make a template available
 * to unauthenticated callers. Throws not_found, and precondition_failed if the template's version
 * is not one of the expected ones.
 */
export async function restoreVersion(
  ctx: Ctx,
  project: ProjectRow,
  templateId: string,
  id: string,
  expected: number[] | undefined,
): Promise<TemplateRow> {
  const { db, newId, now } = ctx.deps;
  const fact = {
    ...templateAudit(project, "template.update", templateId),
    metadata: { restored: id },
  };
  const isKept = versionExists(project.id, templateId, id);
  const can = sql`${templateIs(project.id, templateId, expected)} and ${isKept}`;
  const [, , rows, , templates, versions] = await runBatch(db, [
    auditStatement(ctx, fact, can),
    keepVersion(db, templateId, newId(), can),
    restoreContent(db, [project.id, templateId, id], now(), can),
    pruneVersions(db, project.id, templateId),
    selectTemplate(db, project.id, templateId),
    selectVersion(db, project.id, templateId, id),
  ]);
  const [restored] = rows;
  if (restored) return restored;
  firstTemplate(templates);
  if (versions.length === 0) throw notFound("version");
  throw changedMeanwhile("template");
}
