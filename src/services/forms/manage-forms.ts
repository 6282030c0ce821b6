import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { forms, type FormContent } from "../../db/schema/index.ts";
import { nextVersion } from "../../db/version.ts";
import { changedMeanwhile, invalidField, notFound, refusal } from "../../errors.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { faultOf } from "../../messages/faults.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";
import { canJoin, pathInTopics, requireKnown, selectUnknownOf } from "../topics/index.ts";
import {
  formIs,
  ownForm,
  selectForm,
  selectForms,
  selectSignups,
  unknownKeys,
  type FormRow,
} from "./form-queries.ts";

/** The maximum number of forms per project; our own limit. */
const MOST_FORMS = 50;

const COUNTED_DAYS = 30;

/** The user-defined parts of a form. */
export interface FormInput extends FormContent {
  name: string;
  isOpen: boolean;
}

/** A form with the subscribers that it has added within 30 days, and how many of them are active. */
export interface ListedForm extends FormRow {
  signups: number;
  active: number;
}

/**
 * Adds a form. The route checks `subscribers:write`. Throws 400 for a topic or a field that the
 * project does not have, or a private topic, and 409 if it has 50 forms.
 */
export async function createForm(
  ctx: Ctx,
  project: ProjectRow,
  { name, isOpen, ...content }: FormInput,
): Promise<FormRow> {
  const { db, newId, now } = ctx.deps;
  const id = newId();
  const hasRoom = sql`(select count(*) from forms where project_id = ${project.id}) < ${MOST_FORMS}`;
  const when = sql`${projectExists(project.id)} and ${hasRoom} and ${isKnown(project.id, content)}`;
  const fact = {
    scopeId: project.id,
    action: "form.create",
    targetId: id,
    metadata: { name },
  } as const;
  const [, , [form], ...unknown] = await runBatch(db, [
    db.run(
      sql`insert into forms (id, project_id, name, is_open, content, created_at, updated_at)
        select ${id}, ${project.id}, ${name}, ${isOpen ? 1 : 0}, ${JSON.stringify(content)}, ${now()}, ${now()}
        where ${when}`,
    ),
    auditStatement(ctx, fact, formIs(project.id, id, undefined)),
    selectForm(db, project.id, id),
    ...unknownReads(ctx, project.id, content),
  ]);
  requireAll(content, unknown);
  if (!form) throw refusal("too_many_forms", { max: MOST_FORMS });
  return form;
}

/** Lists the forms of a project by name. */
export async function listForms({ deps }: Ctx, project: ProjectRow): Promise<ListedForm[]> {
  const since = deps.now() - COUNTED_DAYS * DAY_MS;
  const [rows, counts] = await runBatch(deps.db, [
    selectForms(deps.db, project.id),
    selectSignups(deps.db, project.id, since),
  ]);
  const countOf = new Map(counts.map((count) => [count.id, count]));
  return rows.map((row) => ({ signups: 0, active: 0, ...row, ...countOf.get(row.id) }));
}

/** Reads a form. Throws not_found. */
export async function getForm({ deps }: Ctx, project: ProjectRow, id: string): Promise<FormRow> {
  const [form] = await selectForm(deps.db, project.id, id);
  if (!form) throw notFound("form");
  return form;
}

/**
 * Changes the given parts of a form. The route checks `subscribers:write`. Throws not_found,
 * precondition_failed if the form's version is not one of the expected ones, and 400 as
 * `createForm` does.
 */
export async function changeForm(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  change: Partial<FormInput>,
  expected?: number[],
): Promise<FormRow> {
  const { db, now } = ctx.deps;
  const { name, isOpen, ...content } = change;
  const when = sql`${formIs(project.id, id, expected)} and ${isKnown(project.id, content)}`;
  const fact = {
    scopeId: project.id,
    action: "form.update",
    targetId: id,
    metadata: { changed: Object.keys(change) },
  } as const;
  const columns = {
    ...(name === undefined ? {} : { name }),
    ...(isOpen === undefined ? {} : { isOpen }),
    content: mergedContent(content),
    updatedAt: nextVersion(now(), forms.updatedAt),
  };
  const [, [form], [kept], ...unknown] = await runBatch(db, [
    auditStatement(ctx, fact, when),
    db
      .update(forms)
      .set(columns)
      .where(sql`${ownForm(project.id, id)} and ${when}`)
      .returning(),
    selectForm(db, project.id, id),
    ...unknownReads(ctx, project.id, content),
  ]);
  if (form) return form;
  if (!kept) throw notFound("form");
  if (expected?.includes(kept.updatedAt) === false) throw changedMeanwhile("form");
  requireAll(content, unknown);
  throw changedMeanwhile("form"); // a topic or field was added since
}

/** Deletes a form; its page ends, and its subscribers stay. Throws not_found. */
export async function deleteForm(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { db } = ctx.deps;
  const fact = {
    scopeId: project.id,
    action: "form.delete",
    targetId: id,
    metadata: sql`(select json_object('name', name) from forms where id = ${id})`,
  } as const;
  const [, deleted] = await runBatch(db, [
    auditStatement(ctx, fact, formIs(project.id, id, undefined)),
    db.delete(forms).where(ownForm(project.id, id)).returning({ id: forms.id }),
  ]);
  if (deleted.length === 0) throw notFound("form");
}

/** Returns the content with the given parts replaced. */
const mergedContent = (change: Partial<FormContent>): SQL =>
  Object.entries(change).reduce(
    (content, [name, value]) =>
      sql`json_set(${content}, ${`$.${name}`}, json(${JSON.stringify(value)}))`,
    sql`content`,
  );

type Named = Partial<Pick<FormContent, "topics" | "fields">>;

const keysOf = ({ fields = [] }: Named) => fields.map(({ key }) => key);

/** Returns a condition for a batch: the project has every topic and field of a form. */
const isKnown = (projectId: string, named: Named): SQL =>
  sql`${canJoin(projectId, named.topics ?? [], { isPublic: true })}
    and not exists (${unknownKeys(projectId, keysOf(named))})`;

/** Selects the topics and fields of a form that the project does not have. */
const unknownReads = ({ deps: { db } }: Ctx, projectId: string, named: Named) =>
  [
    selectUnknownOf(db, projectId, named.topics ?? [], { isPublic: true }),
    db.all<{ key: string }>(unknownKeys(projectId, keysOf(named))),
  ] as const;

function requireAll(
  named: Named,
  [topics, fields]: readonly [{ name: string }[], { key: string }[]],
): void {
  requireKnown(topics, pathInTopics(named.topics ?? []));
  const [unknown] = fields;
  if (!unknown) return;
  const at = keysOf(named).indexOf(unknown.key);
  throw invalidField(`fields.${at}.key`, faultOf("no_such_field", unknown));
}
