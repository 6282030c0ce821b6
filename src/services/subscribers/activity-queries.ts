import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { MOST_TAGS } from "../../lib/tag.ts";
import { indexTags } from "./tag-queries.ts";

/*
 * Activity of subscribers. `visits` selects the `id` and the `project_id` of a subscriber and the
 * time `at` of each visit that counts. Idempotent: a later stored time is kept.
 */

const newsOf = (visits: SQL): SQL => sql`news as materialized (
  select id, project_id, max(at) as at from (${visits}) group by id, project_id)`;

/** Records opens: one row per subscriber. */
export function noteOpens(db: Database, visits: SQL) {
  return db.run(
    sql`with ${newsOf(visits)}
      update subscribers set last_opened_at = news.at from news
      where subscribers.id = news.id and subscribers.project_id = news.project_id
        and coalesce(subscribers.last_opened_at, 0) < news.at`,
  );
}

/** Records clicks, which also count as opens: one row per subscriber. */
export function noteClicks(db: Database, visits: SQL) {
  return db.run(
    sql`with ${newsOf(visits)}
      update subscribers set last_clicked_at = news.at,
        last_opened_at = max(coalesce(last_opened_at, 0), news.at) from news
      where subscribers.id = news.id and subscribers.project_id = news.project_id
        and coalesce(subscribers.last_clicked_at, 0) < news.at`,
  );
}

/**
 * Returns the statements that add the `tag` of each visit to its subscriber, unless that would
 * exceed the limit of tags.
 */
export function tagVisitors(db: Database, visits: SQL, now: number) {
  const news = sql`news as materialized (${visits})`;
  const after = sql`(select json_group_array(value order by value) from (
    select value from json_each(subscribers.tags)
    union select tag from news where news.id = subscribers.id and news.project_id = subscribers.project_id))`;
  return [
    db.run(
      sql`with ${news}
        update subscribers set tags = ${after}, updated_at = ${now}
        where id in (select id from news) and ${after} <> tags and json_array_length(${after}) <= ${MOST_TAGS}`,
    ),
    indexTags(db, sql`with ${news} select id from news`),
  ] as const;
}
