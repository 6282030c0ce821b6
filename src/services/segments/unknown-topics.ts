import { sql, type SQL } from "drizzle-orm";
import { optionalRead, type Database } from "../../db/client.ts";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { termsOf, type Condition } from "./condition.ts";
import { textForms } from "./text-forms.ts";

/** Returns the distinct topics that a condition references by id or name. */
export const topicsOf = (condition: Condition): string[] => [
  ...new Set(termsOf(condition).flatMap(({ field, values }) => (field === "topic" ? values : []))),
];

/** Returns the query of the given names that match no topic of the project. */
function unknownNames(projectId: string, names: readonly string[]): SQL {
  const asked = JSON.stringify(names.map((name) => ({ name, forms: textForms(name) })));
  return sql`select asked.value ->> 'name' as name from json_each(${asked}) asked
    where asked.key not in (
      select known.key from topics topic cross join json_each(${asked}) known
        cross join json_each(known.value, '$.forms') form
      where topic.project_id = ${projectId} and form.value in (topic.id, lower(topic.name)))`;
}

/** Returns a condition for a batch: all of these topics exist in the project. */
export const topicsAreKnown = (projectId: string, names: readonly string[]): SQL =>
  names.length === 0 ? sql`true` : sql`not exists (${unknownNames(projectId, names)})`;

/** Selects the given names that match no topic of the project. Without names, it runs no query. */
export const selectUnknownTopics = (db: Database, projectId: string, names: readonly string[]) =>
  optionalRead(names.length === 0 ? undefined : names, (some) =>
    db.all<{ name: string }>(unknownNames(projectId, some)),
  );

/** Throws 400 if a condition references an unknown topic. `field` is the path of the condition. */
export function requireKnownTopics([unknown]: { name: string }[], field = "where"): void {
  if (unknown) throw invalidField(field, faultOf("no_such_topic", { name: unknown.name }));
}
