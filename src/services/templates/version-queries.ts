import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import type { Page } from "../../lib/page.ts";
import { templateVersions } from "../../db/schema/index.ts";

export type VersionRow = typeof templateVersions.$inferSelect;

/** The maximum number of versions per template (API reference §4.2). */
const VERSIONS_MAX = 100;

const { templateId, id, projectId, savedAt, name, subject } = templateVersions;

const ofTemplate = (ofProject: string, template: string) =>
  and(eq(templateId, template), eq(projectId, ofProject));

/**
 * Returns the statement that stores a template's current state as a version: one row. It must run
 * before the change and does nothing if `when` is false.
 */
export function keepVersion(db: Database, template: string, version: string, when: SQL) {
  return db.run(
    sql`insert into template_versions (template_id, id, project_id, saved_at, name, subject, html_body, text_body,
        preheader)
      select id, ${version}, project_id, updated_at, name, subject, html_body, text_body, preheader
      from templates where id = ${template} and ${when}`,
  );
}

/** Returns the statement that deletes the oldest versions beyond the limit. */
export function pruneVersions(db: Database, ofProject: string, template: string) {
  const oldest = sql`select id from template_versions
    where project_id = ${ofProject} and template_id = ${template} order by saved_at desc limit -1 offset ${VERSIONS_MAX}`;
  return db
    .delete(templateVersions)
    .where(and(ofTemplate(ofProject, template), sql`${id} in (${oldest})`));
}

/** Returns the statement that deletes all versions of a template if `when` is true. */
export function deleteVersions(db: Database, ofProject: string, template: string, when: SQL) {
  return db.delete(templateVersions).where(and(ofTemplate(ofProject, template), when));
}

/** Selects versions without their bodies, newest first. */
export function selectVersions(
  db: Database,
  ofProject: string,
  template: string,
  { limit, offset }: Page,
) {
  return db
    .select({ id, templateId, savedAt, name, subject })
    .from(templateVersions)
    .where(ofTemplate(ofProject, template))
    .orderBy(desc(savedAt))
    .limit(limit)
    .offset(offset);
}

/** Selects one version: at most one row. */
export function selectVersion(db: Database, ofProject: string, template: string, version: string) {
  return db
    .select()
    .from(templateVersions)
    .where(and(ofTemplate(ofProject, template), eq(id, version)));
}
