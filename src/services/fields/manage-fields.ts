import { and, asc, eq, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, runBatchAfter, type Database } from "../../db/client.ts";
import { fields } from "../../db/schema/index.ts";
import { nextVersion } from "../../db/version.ts";
import { notFound, refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement, type AuditAction } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";
import { findUses, type FieldUse } from "./field-uses.ts";

export type FieldRow = typeof fields.$inferSelect;

/** The description of one key of the subscribers' metadata. */
export type FieldInput = Pick<FieldRow, "key" | "label" | "type" | "choices">;

/** The maximum number of fields per project; our own limit. */
export const MOST_FIELDS = 100;

const audit = (project: ProjectRow, action: AuditAction, targetId: string) => ({
  scopeId: project.id,
  action,
  targetId,
});

const ownField = (projectId: string, id: string) =>
  and(eq(fields.projectId, projectId), eq(fields.id, id));

const selectFields = (db: Database, projectId: string) =>
  db.select().from(fields).where(eq(fields.projectId, projectId)).orderBy(asc(fields.label));

/**
 * Adds the fields whose keys have none yet, and returns the added ones. The route checks
 * `subscribers:write`. Adds none and throws 409 if the project would have over 100 fields.
 */
export async function createFields(
  ctx: Ctx,
  project: ProjectRow,
  inputs: readonly FieldInput[],
): Promise<FieldRow[]> {
  if (inputs.length === 0) return [];
  const { db, newId, now } = ctx.deps;
  const rows = inputs.map((input) => ({ ...input, id: newId() }));
  const list = JSON.stringify(rows);
  const isNew = sql`not exists (select 1 from fields
    where project_id = ${project.id} and key = row.value ->> 'key')`;
  const hasRoom = sql`(select count(*) from fields where project_id = ${project.id})
    + (select count(*) from json_each(${list}) row where ${isNew}) <= ${MOST_FIELDS}`;
  const insert = db.run(
    sql`insert or ignore into fields (id, project_id, key, label, type, choices, created_at, updated_at)
      select row.value ->> 'id', ${project.id}, row.value ->> 'key', row.value ->> 'label',
        row.value ->> 'type', row.value ->> 'choices', ${now()}, ${now()}
      from json_each(${list}) row where ${projectExists(project.id)} and ${isNew} and ${hasRoom}`,
  );
  const entries = rows.map(({ id, key }) =>
    auditStatement(
      ctx,
      { ...audit(project, "field.create", id), metadata: { key } },
      sql`exists (select 1 from fields where id = ${id})`,
    ),
  );
  const [all] = await runBatchAfter(db, [insert, ...entries], [selectFields(db, project.id)]);
  const keys = new Set(all.map(({ key }) => key));
  if (rows.some(({ key }) => !keys.has(key)))
    throw refusal("too_many_fields", { max: MOST_FIELDS });
  const ids = new Set(rows.map(({ id }) => id));
  return all.filter(({ id }) => ids.has(id));
}

/** Lists the fields of a project by label. */
export function listFields({ deps }: Ctx, project: ProjectRow): Promise<FieldRow[]> {
  return selectFields(deps.db, project.id).all();
}

/** Reads a field, and what names it. Throws not_found. */
export async function getField(
  { deps: { db } }: Ctx,
  project: ProjectRow,
  id: string,
): Promise<{ field: FieldRow; uses: FieldUse[] }> {
  const [field] = await db.select().from(fields).where(ownField(project.id, id));
  if (!field) throw notFound("field");
  return { field, uses: await findUses(db, project.id, field.key) };
}

/**
 * Changes the given parts of a field; its key stays. The route checks `subscribers:write`. Throws
 * not_found.
 */
export async function changeField(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  change: Partial<Omit<FieldInput, "key">>,
): Promise<FieldRow> {
  const { db, now } = ctx.deps;
  const [[field]] = await runBatch(db, [
    db
      .update(fields)
      .set({ ...change, updatedAt: nextVersion(now(), fields.updatedAt) })
      .where(ownField(project.id, id))
      .returning(),
    auditOf(ctx, project, "field.update", id),
  ]);
  if (!field) throw notFound("field");
  return field;
}

/**
 * Deletes a field; the subscribers keep their data, and conditions and templates go on. The route
 * checks `subscribers:write`. Throws not_found.
 */
export async function deleteField(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { db } = ctx.deps;
  const [, deleted] = await runBatch(db, [
    auditOf(ctx, project, "field.delete", id),
    db.delete(fields).where(ownField(project.id, id)).returning({ id: fields.id }),
  ]);
  if (deleted.length === 0) throw notFound("field");
}

/** Returns the statement of the audit entry of an existing field. */
const auditOf = (ctx: Ctx, project: ProjectRow, action: AuditAction, id: string) =>
  auditStatement(
    ctx,
    {
      ...audit(project, action, id),
      metadata: sql`(select json_object('key', key) from fields where id = ${id})`,
    },
    sql`exists (select 1 from fields where id = ${id} and project_id = ${project.id})`,
  );
