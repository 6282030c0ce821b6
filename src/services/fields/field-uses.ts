import { sql } from "drizzle-orm";
import { runBatch, type Database } from "../../db/client.ts";
import { comparing, selectConditions } from "../segments/index.ts";

/** A segment, template or draft that names a field. */
export interface FieldUse {
  kind: "segment" | "template" | "broadcast";
  id: string;
  name: string;
}

/** The maximum number of templates and drafts returned. */
const MOST_USES = 50;

/** Returns the ways in which a template names a key of the metadata. */
const namesOf = (key: string): string[] => [
  ...["}", " ", ")"].map((end) => `metadata.${key}${end}`),
  `metadata.[${key}]`,
];

/** Returns the segments, templates and drafts that name a key of the subscribers' metadata. */
export async function findUses(db: Database, projectId: string, key: string): Promise<FieldUse[]> {
  const isNamed = sql`exists (select 1 from json_each(${JSON.stringify(namesOf(key))}) name
    where instr(subject, name.value) or instr(html_body, name.value) or instr(text_body, name.value))`;
  const [conditions, contents] = await runBatch(db, [
    selectConditions(db, projectId, key),
    db.all<FieldUse>(
      sql`select 'template' as kind, id, name from templates
          where project_id = ${projectId} and ${isNamed}
        union all
        select 'broadcast', id, name from broadcasts
          where project_id = ${projectId} and kind = 'draft' and ${isNamed}
        limit ${MOST_USES}`,
    ),
  ]);
  const uses = comparing(conditions, key).map(({ place, id, name }): FieldUse => ({
    kind: place,
    id,
    name,
  }));
  return [...new Map([...uses, ...contents].map((use) => [use.id, use])).values()];
}
