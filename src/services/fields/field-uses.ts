import { sql, type SQL } from "drizzle-orm";
import { runBatch, type Database } from "../../db/client.ts";
import { definitionsInUse } from "../draft-references/index.ts";
import { comparing, selectConditions } from "../segments/index.ts";

/** What can name a field. */
export const FIELD_USES = ["segment", "template", "broadcast", "automation"] as const;

export interface FieldUse {
  kind: (typeof FIELD_USES)[number];
  id: string;
  name: string;
}

/** The maximum number of uses outside of conditions that are returned. */
const MOST_USES = 50;

/** Returns the ways in which a template names a key of the metadata. */
const namesOf = (key: string): string[] => [
  ...["}", " ", ")"].map((end) => `metadata.${key}${end}`),
  `metadata.[${key}]`,
];

/**
 * Returns what names a key of the subscribers' metadata: a condition, the content of a mail, or a
 * trigger or step of an automation.
 */
export async function findUses(db: Database, projectId: string, key: string): Promise<FieldUse[]> {
  const naming = (...texts: SQL[]) =>
    sql`exists (select 1 from json_each(${JSON.stringify(namesOf(key))}) name where ${sql.join(
      texts.map((text) => sql`instr(${text}, name.value)`),
      sql` or `,
    )})`;
  const isNamed = naming(sql`subject`, sql`html_body`, sql`text_body`);
  const [conditions, others] = await runBatch(db, [
    selectConditions(db, projectId, key),
    db.all<FieldUse>(
      sql`select 'template' as kind, id, name from templates
          where project_id = ${projectId} and ${isNamed}
        union all
        select 'broadcast', id, name from broadcasts
          where project_id = ${projectId} and kind = 'draft' and ${isNamed}
        union all
        select 'automation', id, name from (${definitionsInUse(projectId)})
          where definition ->> '$.trigger.field' = ${key} or ${naming(sql`definition`)}
            or exists (select 1 from json_tree(definition) part
              where part.key = ${key} and substr(part.path, -9) = '.metadata')
        limit ${MOST_USES}`,
    ),
  ]);
  const uses = comparing(conditions, key).map(({ place, id, name }): FieldUse => ({
    kind: place,
    id,
    name,
  }));
  return [...new Map([...uses, ...others].map((use) => [use.id, use])).values()];
}
