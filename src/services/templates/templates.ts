import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { conflict, notFound } from "../../errors.ts";
import type { Page } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement, type AuditAction } from "../audit/index.ts";
import { checkTemplate } from "./render-template.ts";
import {
  deleteTemplateRow,
  insertTemplate,
  selectTemplate,
  selectTemplates,
  templateExists,
  templateFacts,
  templateTakes,
  updateTemplateRow,
  type TemplateRow,
} from "./queries.ts";

export interface TemplateInput {
  name: string;
  subject: string;
  htmlBody: string;
  textBody: string;
  /**
   * True when strangers may cause this mail by a waitlist entry; while no template is public, they
   * may use all.
   */
  isPublic: boolean;
}

/**
 * Saves a template. Throws bad_request with field, line and reason when a part does not parse, and
 * conflict when the project has a template with this name.
 */
export async function createTemplate(
  ctx: Ctx,
  project: ProjectRow,
  input: TemplateInput,
): Promise<TemplateRow> {
  const { db, newId, now } = ctx.deps;
  checkTemplate(input);
  const id = newId();
  const at = now();
  const created = { ...fact(project, "template.create", id), metadata: { name: input.name } };
  const [rows] = await runBatch(db, [
    insertTemplate(db, { id, projectId: project.id, ...input, createdAt: at, updatedAt: at }),
    auditStatement(ctx, created, templateExists(project.id, id)),
  ]);
  const [template] = rows;
  if (!template) throw nameTaken(input.name);
  return template;
}

/** Returns a page of the project's templates, last change first. */
export async function listTemplates(
  ctx: Ctx,
  project: ProjectRow,
  page: Page,
): Promise<TemplateRow[]> {
  return selectTemplates(ctx.deps.db, project.id, page);
}

/** Returns one template. Throws not_found. */
export async function getTemplate(ctx: Ctx, project: ProjectRow, id: string): Promise<TemplateRow> {
  return firstTemplate(await selectTemplate(ctx.deps.db, project.id, id));
}

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
    auditStatement(ctx, fact(project, "template.update", id), takes),
    updateTemplateRow(db, project.id, id, change, now()),
    selectTemplate(db, project.id, id),
  ]);
  const [updated] = rows;
  if (updated) return updated;
  firstTemplate(kept);
  throw nameTaken(change.name ?? "");
}

/** Removes a template; log entries keep its id. Throws not_found. */
export async function deleteTemplate(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { db } = ctx.deps;
  const removed = { ...fact(project, "template.delete", id), metadata: templateFacts(id) };
  const [, deleted] = await runBatch(db, [
    auditStatement(ctx, removed, templateExists(project.id, id)),
    deleteTemplateRow(db, project.id, id),
  ]);
  if (deleted.length === 0) throw notFound("template");
}

/** Returns the row of a read or a write. Throws not_found without one. */
export function firstTemplate(rows: TemplateRow[]): TemplateRow {
  const [template] = rows;
  if (!template) throw notFound("template");
  return template;
}

const nameTaken = (name: string) =>
  conflict(`the project already has a template named ${JSON.stringify(name)}`);

function fact(project: ProjectRow, action: AuditAction, targetId: string) {
  return { scopeId: project.id, action, targetType: "template", targetId } as const;
}
