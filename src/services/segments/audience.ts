import { sql, type SQL } from "drizzle-orm";
import { isTerm, type Condition } from "./condition.ts";
import { conditionSql, topicsNamed, type Setting } from "./condition-sql.ts";

/** The subscribers that fit a condition, as the parts of a query. */
export interface Audience {
  /** Has the row `subscribers`. */
  from: SQL;
  where: SQL;
  /** The id, by which `from` is in order and a range costs what is in it. */
  id: SQL;
  /** False if `from` has only those whom an index of tags or consents names. */
  isWhole: boolean;
}

/**
 * Returns the subscribers of a project that fit a condition. It begins at the tags that all of them
 * must have, where the condition names any: each match costs two rows. A query that needs neither order nor
 * range can begin at consents in the same way.
 */
export function audienceOf(
  condition: Condition,
  setting: Setting & { inAnyOrder?: boolean },
): Audience {
  const { projectId } = setting;
  const fits = conditionSql(condition, setting);
  const listed = listOf(condition, setting);
  if (!listed)
    return {
      from: sql`subscribers`,
      where: sql`subscribers.project_id = ${projectId} and ${fits}`,
      id: sql`subscribers.id`,
      isWhole: true,
    };
  return {
    from: sql`(${listed}) listed cross join subscribers on subscribers.id = listed.subscriber_id`,
    where: sql`+subscribers.project_id = ${projectId} and ${fits}`,
    id: sql`listed.subscriber_id`,
    isWhole: false,
  };
}

/** Returns the query of the ids with which a search can begin; undefined if an index names none. */
function listOf(
  condition: Condition,
  { projectId, inAnyOrder = false }: Setting & { inAnyOrder?: boolean },
): SQL | undefined {
  const tags = valuesOfAll(condition, "tag");
  if (tags) {
    const [only] = tags;
    return tags.length === 1
      ? sql`select subscriber_id from subscriber_tags where project_id = ${projectId} and tag = ${only}`
      : sql`select distinct subscriber_id from subscriber_tags where project_id = ${projectId}
          and tag in (select value from json_each(${JSON.stringify(tags)}))`;
  }
  const topics = inAnyOrder ? valuesOfAll(condition, "topic") : undefined;
  return (
    topics &&
    sql`select distinct subscriber_id from topic_consents where state = 'subscribed'
      and topic_id in (${topicsNamed(topics, projectId)})`
  );
}

/**
 * Returns values of a field of which every subscriber that fits has one; undefined where a condition
 * needs none.
 */
function valuesOfAll(condition: Condition, field: "tag" | "topic"): string[] | undefined {
  if (isTerm(condition)) return condition.field === field ? condition.values : undefined;
  if ("not" in condition) return undefined;
  if ("and" in condition) {
    const found = condition.and
      .map((part) => valuesOfAll(part, field))
      .filter((values) => values !== undefined);
    return found.toSorted((a, b) => a.length - b.length)[0];
  }
  const parts = condition.or.map((part) => valuesOfAll(part, field));
  return parts.every((values) => values !== undefined) ? [...new Set(parts.flat())] : undefined;
}
