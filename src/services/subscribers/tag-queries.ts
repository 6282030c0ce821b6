import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { MOST_TAGS } from "../../lib/tag.ts";

/*
 * A subscriber's tags are stored sorted in its own row, and as one row of `subscriber_tags` per
 * tag. The statements of a change write both in one batch.
 */

/** A change that adds tags to a subscriber or removes them. */
export type TagChange = { add: readonly string[] } | { remove: readonly string[] };

const listOf = (change: TagChange) => JSON.stringify("add" in change ? change.add : change.remove);

/** Returns the tags of a subscriber after a change. */
export function tagsAfter(tags: SQL, change: TagChange): SQL {
  const list = listOf(change);
  return "add" in change
    ? sql`(select json_group_array(value order by value) from (
        select value from json_each(${tags}) union select value from json_each(${list})))`
    : sql`(select json_group_array(value order by value) from json_each(${tags})
        where value not in (select value from json_each(${list})))`;
}

/** Returns the condition that a change alters these tags without exceeding the limit. */
export function isRetagged(tags: SQL, change: TagChange): SQL {
  const after = tagsAfter(tags, change);
  return sql`(${after} <> ${tags} and json_array_length(${after}) <= ${MOST_TAGS})`;
}

/**
 * Updates the index for the subscribers that `ids` selects. It must run before the change of their
 * rows.
 */
export function reindexTags(db: Database, projectId: string, ids: SQL, change: TagChange) {
  const list = listOf(change);
  return "add" in change
    ? db.run(
        sql`insert or ignore into subscriber_tags (project_id, tag, subscriber_id)
          select ${projectId}, tag.value, chosen.id from (${ids}) chosen cross join json_each(${list}) tag`,
      )
    : db.run(
        sql`delete from subscriber_tags where project_id = ${projectId}
          and tag in (select value from json_each(${list})) and subscriber_id in (${ids})`,
      );
}

/**
 * Removes the subscribers that `ids` selects from the index, except under the tags `kept`. It must
 * run before the change of their rows.
 */
export function dropTags(db: Database, projectId: string, ids: SQL, kept: readonly string[] = []) {
  return db.run(
    sql`delete from subscriber_tags where (project_id, tag, subscriber_id) in (
      select s.project_id, own.value, s.id from subscribers s, json_each(s.tags) own
      where s.id in (${ids}) and +s.project_id = ${projectId} and s.tags <> '[]'
        and own.value not in (select value from json_each(${JSON.stringify(kept)})))`,
  );
}

/**
 * Adds the subscribers that `ids` selects to the index, after the write of their rows. The caller
 * must ensure that the ids belong to its project.
 */
export function indexTags(db: Database, ids: SQL) {
  return db.run(
    sql`insert or ignore into subscriber_tags (project_id, tag, subscriber_id)
      select s.project_id, own.value, s.id from subscribers s, json_each(s.tags) own
      where s.id in (${ids})`,
  );
}

/**
 * The maximum number of tags listed for a project, and of subscribers counted for each; our own
 * limits.
 */
export const MOST_LISTED = 500;
export const MOST_COUNTED = 1_000;

/**
 * Selects the tags of a project in sort order with the number of their subscribers, up to 1,000
 * each. Uses a loose index scan, so it reads one row per tag in addition to the counted ones.
 */
export function selectTags(db: Database, projectId: string) {
  const next = (after: SQL) =>
    sql`(select tag from subscriber_tags where project_id = ${projectId} and tag > ${after} order by tag limit 1)`;
  return db.all<{ name: string; count: number }>(
    sql`with recursive tags(tag) as (
        select ${next(sql`''`)} union all
        select ${next(sql`tags.tag`)} from tags where tags.tag is not null limit ${MOST_LISTED + 1})
      select tags.tag as name, (select count(*) from (select 1 from subscriber_tags counted
          where counted.project_id = ${projectId} and counted.tag = tags.tag limit ${MOST_COUNTED})) as count
      from tags where tags.tag is not null limit ${MOST_LISTED}`,
  );
}
