import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { type AppError, refusal } from "../../errors.ts";
import { listOf } from "../../messages/lists.ts";

/** The most broadcasts that a refusal names. */
const MOST_NAMED = 5;

/**
 * Returns the query of the drafts and scheduled broadcasts that meet a condition. A broadcast keeps
 * this kind until it begins to send.
 */
const drafts = (projectId: string, names: SQL): SQL =>
  sql`select id, name from broadcasts
    where project_id = ${projectId} and kind = 'draft' and ${names}`;

/** Returns the query of the broadcasts of a project whose audience has or excludes a segment. */
export const usesOfSegment = (projectId: string, segmentId: string): SQL =>
  drafts(
    projectId,
    sql`(plan ->> '$.segmentId' = ${segmentId} or exists (
      select 1 from json_each(plan, '$.excludeSegmentIds') where value = ${segmentId}))`,
  );

/**
 * Returns the query of the broadcasts of a project whose audience is that of a topic. They need the
 * topic until they are over: each claim asks for the consents to it, and their mails link to it.
 */
export const usesOfTopic = (projectId: string, topicId: string): SQL =>
  sql`${drafts(projectId, sql`topic_id = ${topicId}`)}
    union all
    select id, iif(name = '', subject, name) from broadcasts indexed by broadcasts_by_state
      where state in ('queued', 'sending', 'paused')
        and project_id = ${projectId} and topic_id = ${topicId}`;

/** Returns a condition for a batch: no broadcast uses a thing. */
export const isUnused = (uses: SQL): SQL => sql`not exists (${uses})`;

/** A broadcast that uses a thing, with the number of all of them. */
interface Use {
  name: string;
  total: number;
}

/** Selects the newest broadcasts that use a thing. */
export const selectUses = (db: Database, uses: SQL) =>
  db.all<Use>(
    sql`select name, count(*) over () as total from (${uses}) order by id desc limit ${MOST_NAMED}`,
  );

/** Returns the refusal to delete a thing that broadcasts use. */
export function inUse(what: "topic" | "segment", found: Use[]): AppError {
  const named = found.map(({ name }) => JSON.stringify(name));
  return refusal(`${what}_in_use`, { names: listOf(named, found[0]?.total ?? 0) });
}

/** The things that an audience names. */
interface Audience {
  topicId: string | null;
  segmentId: string | null;
  excludeSegmentIds: string[];
}

/** Returns a condition for a batch: the project has the topic and all segments of an audience. */
export function existForDraft(
  projectId: string,
  { topicId, segmentId, excludeSegmentIds }: Audience,
): SQL {
  const segments = segmentId === null ? excludeSegmentIds : [segmentId, ...excludeSegmentIds];
  return sql`(${topicId} is null or exists (
      select 1 from topics where id = ${topicId} and project_id = ${projectId}))
    and not exists (select 1 from json_each(${JSON.stringify(segments)}) named
      where not exists (
        select 1 from segments where id = named.value and project_id = ${projectId}))`;
}

/** Returns the refusal of a draft whose topic or segment somebody has just deleted. */
export const deletedMeanwhile = (): AppError => refusal("audience_deleted_meanwhile", {});
