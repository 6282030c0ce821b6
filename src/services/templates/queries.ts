import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { Page } from "../../lib/page.ts";
import { templates } from "../../db/schema/index.ts";

export type TemplateRow = typeof templates.$inferSelect;

/** Inserts a template and returns its row; returns none when the project has one with that name. */
export function insertTemplate(db: Database, template: TemplateRow) {
  const { id, projectId, name, subject, htmlBody, textBody, createdAt, updatedAt } = template;
  const isPublic = template.isPublic ? 1 : 0;
  const row = sql`select ${id}, ${projectId}, ${name}, ${subject}, ${htmlBody}, ${textBody}, ${createdAt}, ${updatedAt}, ${isPublic}`;
  return db
    .insert(templates)
    .select(sql`${row} where ${nameIsFree(projectId, id, name)}`)
    .returning();
}

/** Selects templates, newest change first, as the list shows them; an index gives the order. */
export function selectTemplates(db: Database, projectId: string, { limit, offset }: Page) {
  return db
    .select()
    .from(templates)
    .where(eq(templates.projectId, projectId))
    .orderBy(desc(templates.updatedAt), desc(templates.id))
    .limit(limit)
    .offset(offset);
}

/** Selects the project's template with this id: at most one row. */
export function selectTemplate(db: Database, projectId: string | SQL, id: string) {
  return db.select().from(templates).where(ownTemplate(projectId, id));
}

/**
 * Selects the project's template with this name, or the last changed of several: at most one row.
 */
export function selectTemplateByName(db: Database, projectId: string | SQL, name: string) {
  return db
    .select()
    .from(templates)
    .where(and(eq(templates.projectId, projectId), eq(templates.name, name)))
    .orderBy(desc(templates.updatedAt), desc(templates.id))
    .limit(1);
}

/**
 * Changes a template and returns its row; returns none when another one of the project has the new
 * name. `updated_at` grows with every change, even within one millisecond, because it keys the
 * cache of compiled templates.
 */
export function updateTemplateRow(
  db: Database,
  projectId: string,
  id: string,
  change: Partial<TemplateRow>,
  now: number,
) {
  const updatedAt = sql`max(${now}, ${templates.updatedAt} + 1)`;
  return db
    .update(templates)
    .set({ ...change, updatedAt })
    .where(and(eq(templates.id, id), templateTakes(projectId, id, change.name)))
    .returning();
}

export function deleteTemplateRow(db: Database, projectId: string, id: string) {
  return db.delete(templates).where(ownTemplate(projectId, id)).returning({ id: templates.id });
}

/** Returns the name of a template as JSON: an SQL expression for use before its removal. */
export function templateFacts(id: string) {
  return sql`(select json_object('name', name) from templates where id = ${id})`;
}

/** Returns a condition for a batch: the project has this template. */
export function templateExists(projectId: string, id: string) {
  return sql`exists (select 1 from templates where id = ${id} and project_id = ${projectId})`;
}

/**
 * Returns a condition for a batch: the project has this template, and the template may have this
 * name.
 */
export function templateTakes(projectId: string, id: string, name: string | undefined) {
  const exists = templateExists(projectId, id);
  if (name === undefined) return exists;
  // Earlier versions allowed duplicate names: a template with one keeps its own name.
  const keepsName = sql`exists (select 1 from templates where id = ${id} and name = ${name})`;
  return sql`${exists} and (${keepsName} or ${nameIsFree(projectId, id, name)})`;
}

function nameIsFree(projectId: string, id: string, name: string) {
  return sql`not exists (select 1 from templates where project_id = ${projectId} and name = ${name} and id <> ${id})`;
}

function ownTemplate(projectId: string | SQL, id: string) {
  return and(eq(templates.projectId, projectId), eq(templates.id, id));
}
