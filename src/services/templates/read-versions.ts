import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { Page } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectTemplate } from "./queries.ts";
import { firstTemplate } from "./read-templates.ts";
import { selectVersion, selectVersions, type VersionRow } from "./version-queries.ts";

export type VersionSummary = Pick<VersionRow, "id" | "templateId" | "savedAt" | "name" | "subject">;

/** Returns a page of a template's versions, newest first. Throws not_found. */
export async function listVersions(
  ctx: Ctx,
  project: ProjectRow,
  templateId: string,
  page: Page,
): Promise<VersionSummary[]> {
  const { db } = ctx.deps;
  const [versions, templates] = await runBatch(db, [
    selectVersions(db, project.id, templateId, page),
    selectTemplate(db, project.id, templateId),
  ]);
  firstTemplate(templates);
  return versions;
}

/** Returns one version of a template. Throws not_found. */
export async function getVersion(
  ctx: Ctx,
  project: ProjectRow,
  templateId: string,
  id: string,
): Promise<VersionRow> {
  const [version] = await selectVersion(ctx.deps.db, project.id, templateId, id);
  if (!version) throw notFound("version");
  return version;
}
