import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import {
  fields,
  forms,
  projects,
  topics,
  type FormContent,
  type FormLook,
  type StoredFormContent,
} from "../../db/schema/index.ts";
import { isOneOf } from "../../db/version.ts";
import { uuidFloor } from "../../lib/ids.ts";

export type FormRow = typeof forms.$inferSelect;

/** The look of a form that has none of its own. */
export const PLAIN_LOOK: FormLook = {
  align: "left",
  accent: null,
  showLogo: true,
  embedHeading: false,
};

export const wholeContent = (stored: StoredFormContent): FormContent => ({
  ...PLAIN_LOOK,
  ...stored,
});

/** The value of `metadata.source` of the subscribers that a form adds. */
export const sourceOfForm = (id: string): string => `form:${id}`;

export const ownForm = (projectId: string, id: string) =>
  and(eq(forms.projectId, projectId), eq(forms.id, id));

/** Returns a condition for a batch: the project has this form in an expected version. */
export const formIs = (projectId: string, id: string, expected: number[] | undefined): SQL =>
  sql`exists (select 1 from forms where id = ${id} and project_id = ${projectId}
    and ${isOneOf(expected, forms.updatedAt)})`;

/** Selects the project's form with this id: at most one row. */
export const selectForm = (db: Database, projectId: string, id: string) =>
  db.select().from(forms).where(ownForm(projectId, id));

/** Selects the forms of a project by name. */
export const selectForms = (db: Database, projectId: string) =>
  db.select().from(forms).where(eq(forms.projectId, projectId)).orderBy(asc(forms.name));

/**
 * Selects the open form by which readers of the project's archive can sign up, if any: one that
 * offers a topic with an archive, or else the oldest.
 */
export const selectArchiveForm = (db: Database, projectId: string) =>
  db.all<{ id: string }>(
    sql`select id from forms where project_id = ${projectId} and is_open
      order by exists (select 1 from json_each(forms.content, '$.topics') offered
          join topics on topics.id = offered.value
          where topics.project_id = forms.project_id and topics.public_archive) desc,
        created_at, id
      limit 1`,
  );

/** The subscribers that a form has added since a time, by their current status. */
export interface SignupCount {
  id: string;
  signups: number;
  active: number;
}

/** Selects these counts for each form of a project, from the index by source. */
export function selectSignups(db: Database, projectId: string, since: number) {
  const count = (
    status: string,
  ) => sql`(select count(*) from subscribers indexed by subscribers_by_source
    where project_id = ${projectId} and status = ${status} and source <> ''
      and source = 'form:' || f.id and id >= ${uuidFloor(since)})`;
  return db.all<SignupCount>(
    sql`select id, active, active + others as signups from (
      select f.id, ${count("active")} as active, ${count("pending")} + ${count("unsubscribed")} as others
      from forms f where f.project_id = ${projectId})`,
  );
}

/** Returns the condition that a key is missing among the project's fields. */
const isUnknown = (projectId: string, key: SQL): SQL =>
  sql`not exists (select 1 from fields where project_id = ${projectId} and key = ${key})`;

/** Selects the keys that belong to no field of the project. */
export const unknownKeys = (projectId: string, keys: readonly string[]): SQL =>
  sql`select given.value as key from json_each(${JSON.stringify(keys)}) given
    where ${isUnknown(projectId, sql`given.value`)}`;

const projectOf = (id: string) => sql`(select project_id from forms where id = ${id})`;

/** Selects the fields and public topics of a project, which a form may offer. */
export const offeredReads = (db: Database, projectId: SQL) =>
  [
    db
      .select()
      .from(fields)
      .where(sql`${fields.projectId} = ${projectId}`),
    db
      .select()
      .from(topics)
      .where(sql`${topics.projectId} = ${projectId} and ${topics.visibility} = 'public'`)
      .orderBy(asc(topics.name)),
  ] as const;

/** Selects a form with everything that its page needs. */
export const openReads = (db: Database, id: string) =>
  [
    db.select().from(forms).where(eq(forms.id, id)),
    db
      .select()
      .from(projects)
      .where(sql`${projects.id} = ${projectOf(id)}`),
    ...offeredReads(db, projectOf(id)),
  ] as const;
