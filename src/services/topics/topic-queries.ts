import { and, asc, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { isOneOf, nextVersion } from "../../db/version.ts";
import { topics } from "../../db/schema/index.ts";
import { textForms } from "../segments/index.ts";

export type TopicRow = typeof topics.$inferSelect;

/** The user-defined fields of a topic. */
export type TopicInput = Omit<TopicRow, "id" | "projectId" | "createdAt" | "updatedAt">;

/** The maximum number of topics per project: subscribers see them all on one page. */
export const MOST_TOPICS = 50;

const ownTopic = (projectId: string, id: string) =>
  and(eq(topics.projectId, projectId), eq(topics.id, id));

/**
 * Returns a condition for a batch: the project has this topic, and its version, `updated_at`, is
 * one that the caller expects. Undefined expects any version.
 */
export const topicIs = (projectId: string, id: string, expected: number[] | undefined): SQL =>
  sql`exists (select 1 from topics where id = ${id} and project_id = ${projectId}
    and ${isOneOf(expected, topics.updatedAt)})`;

/**
 * Returns the query of the names of other topics that a condition with the given name also matches:
 * those that differ only in case.
 */
export const namesake = (projectId: string, id: string, name: string): SQL =>
  sql`select name from topics where project_id = ${projectId} and id <> ${id}
    and lower(name) in (select value from json_each(${JSON.stringify(textForms(name))})) limit 1`;

/**
 * Returns a condition for a batch: no other topic of the project has the name, compared
 * case-insensitively.
 */
export const nameIsFree = (projectId: string, id: string, name: string | undefined): SQL =>
  name === undefined ? sql`true` : sql`not exists (${namesake(projectId, id, name)})`;

/** Returns a condition for a batch: the project has fewer topics than the limit. */
export const hasRoom = (projectId: string): SQL =>
  sql`(select count(*) from topics where project_id = ${projectId}) < ${MOST_TOPICS}`;

/** Inserts a topic if `when` is true, and returns its row. */
export function insertTopic(db: Database, topic: TopicRow, when: SQL) {
  const { id, projectId, name, description, createdAt, updatedAt } = topic;
  const row = sql`select ${id}, ${projectId}, ${name}, ${description}, ${createdAt}, ${updatedAt}, ${Number(topic.isDefault)}, ${Number(topic.publicArchive)}, ${topic.visibility}`;
  return db
    .insert(topics)
    .select(sql`${row} where ${when}`)
    .returning();
}

/** The number of consents that a list of topics reads, an equal share for each topic. */
const MOST_READ_CONSENTS = 10_000;

/** The number of subscribers with a consent to a topic. */
interface Subscribers {
  count: number;
  /** True if others, whose consents were not read, may have one. */
  more: boolean;
}

/** A topic in a list. */
export type ListedTopic = TopicRow & { subscribers: Subscribers };

/** Selects the topics of a project by name, with the numbers of their subscribers. */
export function selectTopics(db: Database, projectId: string) {
  const share = sql`(select cast(${MOST_READ_CONSENTS} / count(*) as integer) from topics where project_id = ${projectId})`;
  const subscribers = sql`(select json_object('count', count(*) filter (where state = 'subscribed'),
      'more', iif(count(*) < ${share}, json('false'), json('true')))
    from (select state from topic_consents where topic_id = topics.id limit ${share}))`;
  return db
    .select({
      ...getTableColumns(topics),
      subscribers: subscribers.mapWith((json: string) => JSON.parse(json) as Subscribers),
    })
    .from(topics)
    .where(eq(topics.projectId, projectId))
    .orderBy(asc(topics.name));
}

/** Selects the project's topic with this id: at most one row. */
export function selectTopic(db: Database, projectId: string, id: string) {
  return db.select().from(topics).where(ownTopic(projectId, id));
}

/** Changes a topic if `when` is true, and returns its row. */
export function updateTopicRow(
  db: Database,
  projectId: string,
  id: string,
  change: Partial<TopicInput>,
  now: number,
  when: SQL,
) {
  return db
    .update(topics)
    .set({ ...change, updatedAt: nextVersion(now, topics.updatedAt) })
    .where(and(ownTopic(projectId, id), when))
    .returning();
}

/**
 * Deletes a topic if `when` is true, and leaves its consents to the purge; the second statement
 * returns its id.
 */
export function removeTopic(db: Database, projectId: string, id: string, now: number, when: SQL) {
  return [
    db.run(
      sql`insert into topic_purges (topic_id, created_at)
        select id, ${now} from topics where id = ${id} and project_id = ${projectId} and ${when}`,
    ),
    db
      .delete(topics)
      .where(and(ownTopic(projectId, id), when))
      .returning({ id: topics.id }),
  ] as const;
}

/** Deletes some consents of deleted topics, and ends the purge of each topic without any left. */
export function purgeStep(db: Database, limit: number) {
  return [
    db.run(
      sql`delete from topic_consents where (topic_id, subscriber_id) in (
        select c.topic_id, c.subscriber_id from topic_purges p
          cross join topic_consents c on c.topic_id = p.topic_id limit ${limit})`,
    ),
    db.run(
      sql`delete from topic_purges
        where not exists (select 1 from topic_consents c where c.topic_id = topic_purges.topic_id)`,
    ),
  ] as const;
}
