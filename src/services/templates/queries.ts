import { and, desc, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { isOneOf, nextVersion } from "../../db/version.ts";
import type { Page } from "../../lib/page.ts";
import { templates } from "../../db/schema/index.ts";

export type TemplateRow = typeof templates.$inferSelect;
/** A template without its bodies. */
export type TemplateSummary = Omit<TemplateRow, "htmlBody" | "textBody">;

/** Inserts a template and returns its row. */
export function insertTemplate(db: Database, template: TemplateRow) {
  return db.insert(templates).values(template).returning();
}

/** Selects templates, last changed first, sorted by an index. */
export function selectTemplates(db: Database, projectId: string, { limit, offset }: Page) {
  return db
    .select()
    .from(templates)
    .where(eq(templates.projectId, projectId))
    .orderBy(desc(templates.updatedAt), desc(templates.id))
    .limit(limit)
    .offset(offset);
}

/** Selects templates like `selectTemplates`, without their bodies. */
export function selectSummaries(db: Database, projectId: string, { limit, offset }: Page) {
  const { htmlBody: _html, textBody: _text, ...columns } = getTableColumns(templates);
  return db
    .select(columns)
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
 * Selects the project's template with this name, the last changed one if several: at most one row.
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
 * Changes a template if `when` is true, and returns its row. `updated_at` increases with every
 * change, even within one millisecond, because it is the cache key of compiled templates.
 */
export function updateTemplateRow(
  db: Database,
  projectId: string,
  id: string,
  change: Partial<TemplateRow>,
  now: number,
  when: SQL,
) {
  const updatedAt = nextVersion(now, templates.updatedAt);
  return db
    .update(templates)
    .set({ ...change, updatedAt })
    .where(and(ownTemplate(projectId, id), when))
    .returning();
}

/** Deletes a template if `when` is true, and returns its id. */
export function deleteTemplateRow(db: Database, projectId: string, id: string, when: SQL) {
  return db
    .delete(templates)
    .where(and(ownTemplate(projectId, id), when))
    .returning({ id: templates.id });
}

/**
 * Returns an SQL expression for the name of a template as JSON. It must run before the template is
 * deleted.
 */
export function templateFacts(id: string) {
  return sql`(select json_object('name', name) from templates where id = ${id})`;
}

/** Returns a condition for a batch: the project has this template. */
export function templateExists(projectId: string, id: string) {
  return sql`exists (select 1 from templates where id = ${id} and project_id = ${projectId})`;
}

/**
 * Returns a condition for a batch: the project has this template, and its version, `updated_at`, is
 * one that the caller expects. Undefined expects any version.
 */
export function templateIs(projectId: string, id: string, expected: number[] | undefined): SQL {
  const exists = templateExists(projectId, id);
  if (expected === undefined) return exists;
  return sql`${exists} and ${isOneOf(expected, sql`(select updated_at from templates where id = ${id})`)}`;
}

function ownTemplate(projectId: string | SQL, id: string) {
  return and(eq(templates.projectId, projectId), eq(templates.id, id));
}
