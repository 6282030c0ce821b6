import type { Ctx } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { Page } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  selectSummaries,
  selectTemplate,
  selectTemplates,
  type TemplateRow,
  type TemplateSummary,
} from "./queries.ts";

/** Returns a page of the project's templates, last changed first. */
export async function listTemplates(
  ctx: Ctx,
  project: ProjectRow,
  page: Page,
): Promise<TemplateRow[]> {
  return selectTemplates(ctx.deps.db, project.id, page);
}

/** Returns a page of the project's templates without their bodies, last changed first. */
export async function listSummaries(
  ctx: Ctx,
  project: ProjectRow,
  page: Page,
): Promise<TemplateSummary[]> {
  return selectSummaries(ctx.deps.db, project.id, page);
}

/** Returns one template. Throws not_found. */
export async function getTemplate(ctx: Ctx, project: ProjectRow, id: string): Promise<TemplateRow> {
  return firstTemplate(await selectTemplate(ctx.deps.db, project.id, id));
}

/** Returns the row of a read or write. Throws not_found if there is none. */
export function firstTemplate(rows: TemplateRow[]): TemplateRow {
  const [template] = rows;
  if (!template) throw notFound("template");
  return template;
}
