import { sql, type SQL } from "drizzle-orm";
import { isTerm, type Condition } from "./condition.ts";
import { conditionSql, type Setting } from "./condition-sql.ts";

/** The subscribers that fit a condition, as the parts of a query. */
export interface Audience {
  /** Has the row `subscribers`. */
  from: SQL;
  where: SQL;
  /** The id, by which `from` is in order and a range costs what is in it. */
  id: SQL;
}

/**
 * Returns the subscribers of a project that fit a condition. It begins at the tags that all of them
 * must have, where the condition names any: few of many cost two rows each.
 */
export function audienceOf(condition: Condition, setting: Setting): Audience {
  const { projectId } = setting;
  const fits = conditionSql(condition, setting);
  const tags = tagsOfAll(condition);
  if (!tags)
    return {
      from: sql`subscribers`,
      where: sql`subscribers.project_id = ${projectId} and ${fits}`,
      id: sql`subscribers.id`,
    };
  const [only] = tags;
  const tagged =
    tags.length === 1
      ? sql`select subscriber_id from subscriber_tags where project_id = ${projectId} and tag = ${only}`
      : sql`select distinct subscriber_id from subscriber_tags where project_id = ${projectId}
          and tag in (select value from json_each(${JSON.stringify(tags)}))`;
  return {
    from: sql`(${tagged}) tagged cross join subscribers on subscribers.id = tagged.subscriber_id`,
    where: sql`+subscribers.project_id = ${projectId} and ${fits}`,
    id: sql`tagged.subscriber_id`,
  };
}

/** Returns tags of which every subscriber that fits has one; undefined where a condition needs none. */
function tagsOfAll(condition: Condition): string[] | undefined {
  if (isTerm(condition)) return condition.field === "tag" ? condition.values : undefined;
  if ("not" in condition) return undefined;
  if ("and" in condition) {
    const found = condition.and.map(tagsOfAll).filter((tags) => tags !== undefined);
    return found.toSorted((a, b) => a.length - b.length)[0];
  }
  const parts = condition.or.map(tagsOfAll);
  return parts.every((tags) => tags !== undefined) ? [...new Set(parts.flat())] : undefined;
}
