import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import { listOf } from "../../messages/lists.ts";
import type { Message } from "../../messages/message.ts";
import { definitionsInUse } from "../draft-references/index.ts";
import { parseFixed } from "./compile.ts";
import { METADATA, termsOf, type Term } from "./condition.ts";
import { asciiLower, textForms } from "./text-forms.ts";

/** The maximum number of uses that an error lists. */
const MOST_NAMED = 5;

/**
 * The condition of a segment, of a draft, of a broadcast that has not ended, or of an automation
 * that is not stopped.
 */
export interface SavedCondition {
  place: "segment" | "broadcast" | "automation";
  id: string;
  name: string;
  text: string;
}

/**
 * Returns the query of all texts that contain a word in any case. The start of a broadcast stores
 * the conditions of its segments in another column. Each `where` of the definition of an automation
 * is a condition, except a key of metadata that a step sets.
 */
const saved = (projectId: string, word: string): SQL =>
  sql`select place, id, name, text from (
      select 'segment' as place, id, name, condition as text from segments where project_id = ${projectId}
      union all
      select 'broadcast', id, name, plan ->> '$.where' from broadcasts
        where project_id = ${projectId} and kind = 'draft'
      union all
      select 'broadcast', id, iif(name = '', subject, name), audience_where
        from broadcasts indexed by broadcasts_by_state
        where state in ('scheduled', 'queued', 'sending', 'paused') and project_id = ${projectId}
      union all
      select 'automation', used.id, used.name, part.atom
        from (${definitionsInUse(projectId)}) used cross join json_tree(used.definition) part
        where part.key = 'where' and instr(part.path, '.metadata') = 0)
    where instr(lower(text), ${asciiLower(word)}) > 0`;

/** The word in each condition that references a topic. */
const TOPIC = "topic";

/** Selects the conditions of a project that contain a word; by default, that of topics. */
export const selectConditions = (db: Database, projectId: string, word = TOPIC) =>
  db.all<SavedCondition>(saved(projectId, word));

/** Returns a condition for a batch: no other condition has been added since these were read. */
export function noOthers(projectId: string, known: readonly SavedCondition[]): SQL {
  const texts = JSON.stringify([...new Set(known.map(({ text }) => text))]);
  return sql`not exists (select 1 from (${saved(projectId, TOPIC)})
    where text not in (select value from json_each(${texts})))`;
}

/**
 * Returns the conditions that reference a topic. With a new name, returns those whose reference
 * would break.
 */
export function referencing(
  conditions: readonly SavedCondition[],
  { id, name }: NamedTopic,
  newName?: string,
): SavedCondition[] {
  const isLost = (given: string) =>
    isNamed(given, { id, name }) &&
    (newName === undefined || !isNamed(given, { id, name: newName }));
  return conditions.filter(({ text }) => namesIn(text).some(isLost));
}

/** The id and name by which a topic can be referenced. */
interface NamedTopic {
  id: string;
  name: string;
}

/** Returns true if the SQL of a condition would find the topic by this name. */
const isNamed = (given: string, { id, name }: NamedTopic) =>
  textForms(given).some((form) => form === id || form === asciiLower(name));

/** Returns the conditions that compare a key of the metadata. */
export const comparing = (conditions: readonly SavedCondition[], key: string): SavedCondition[] =>
  conditions.filter(({ text }) => termsIn(text).some(({ field }) => field === METADATA + key));

const namesIn = (text: string): string[] =>
  termsIn(text).flatMap(({ field, values }) => (field === "topic" ? values : []));

/**
 * Returns the comparisons in a stored text; none if it was stored by another version and does not
 * parse.
 */
function termsIn(text: string): Term[] {
  try {
    return termsOf(parseFixed(text));
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** Lists the uses of a topic for an error: `segment "Readers", broadcast "May" and 2 more`. */
export function placesOf(conditions: readonly SavedCondition[]): string | Message {
  const places = [
    ...new Set(conditions.map(({ place, name }) => `${place} ${JSON.stringify(name)}`)),
  ];
  return listOf(places.slice(0, MOST_NAMED), places.length);
}
