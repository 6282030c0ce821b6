import { and, desc, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { isOneOf, nextVersion } from "../../db/version.ts";
import type { Page } from "../../lib/page.ts";
import { templates } from "../../db/schema/index.ts";

export type TemplateRow = typeof templates.$inferSelect;
/** A template without its bodies. */
export type TemplateSummary = Omit<TemplateRow, "htmlBody" | "textBody">;

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
 * Changes a template if `when` is true, and returns its row. `updated_at` grows with every change,
 * even within one millisecond, because it keys the cache of compiled templates.
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

/** Removes a template if `when` is true, and returns its id. */
export function deleteTemplateRow(db: Database, projectId: string, id: string, when: SQL) {
  return db
    .delete(templates)
    .where(and(ownTemplate(projectId, id), when))
    .returning({ id: templates.id });
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
 * Returns a condition for a batch: the project has this template, in one of the expected states.
 * Its `updated_at` identifies a state. Without expected states, any state will do.
 */
export function templateIs(projectId: string, id: string, expected: number[] | undefined): SQL {
  const exists = templateExists(projectId, id);
  if (expected === undefined) return exists;
  return sql`${exists} and ${isOneOf(expected, sql`(select updated_at from templates where id = ${id})`)}`;
}

/** Returns a condition for a batch: a template of the project may have this name. */
export function mayHaveName(projectId: string, id: string, name: string | undefined): SQL {
  if (name === undefined) return sql`true`;
  // Earlier versions allowed duplicate names: a template with one keeps its own name.
  const keepsName = sql`exists (select 1 from templates where id = ${id} and name = ${name})`;
  return sql`(${keepsName} or ${nameIsFree(projectId, id, name)})`;
}

function nameIsFree(projectId: string, id: string, name: string) {
  return sql`not exists (select 1 from templates where project_id = ${projectId} and name = ${name} and id <> ${id})`;
}

/**
 * Inserts a copy of a template and returns its row; returns none without the template, or if the
 * project has one with that name. Without a name, the copy is "<name> (copy)", or the first free
 * "<name> (copy <n>)".
 */
export function insertCopy(
  db: Database,
  projectId: string,
  id: string,
  copy: { id: string; name: string | undefined; now: number },
) {
  const original = sql`select * from templates where id = ${id} and project_id = ${projectId}`;
  const isTaken = sql`exists (select 1 from templates taken
    where taken.project_id = ${projectId} and taken.name = names.name)`;
  const start = sql`substr(name, 1, ${COPIED_NAME_CHARACTERS})`;
  const names =
    copy.name === undefined
      ? sql`select 1 as n, ${start} || ' (copy)' as name, ${start} as start from original
          union all
          select n + 1, start || ' (copy ' || (n + 1) || ')', start from names
          where n < ${COPIES_MAX} and ${isTaken}`
      : sql`select 1 as n, ${copy.name} as name, '' as start`;
  return db
    .insert(templates)
    .select(
      sql`with recursive original as (${original}), names(n, name, start) as (${names})
        select ${copy.id}, project_id, (select name from names order by n desc limit 1), subject, html_body, text_body,
          ${copy.now}, ${copy.now}, 0
        from original
        where not exists (select 1 from (select name from names order by n desc limit 1) names where ${isTaken})`,
    )
    .returning();
}

/** The part of a name that its copies keep, and the most copies that are named by themselves. */
const COPIED_NAME_CHARACTERS = 90;
const COPIES_MAX = 1_000;

function ownTemplate(projectId: string | SQL, id: string) {
  return and(eq(templates.projectId, projectId), eq(templates.id, id));
}
