import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { type AppError, refusal } from "../../errors.ts";
import { listOf } from "../../messages/lists.ts";

/** The maximum number of broadcasts that an error names. */
const MOST_NAMED = 5;

/**
 * Returns the query of the drafts and scheduled broadcasts that meet a condition. A broadcast has
 * the kind `draft` until it begins to send.
 */
const drafts = (projectId: string, names: SQL): SQL =>
  sql`select id, name from broadcasts
    where project_id = ${projectId} and kind = 'draft' and ${names}`;

/** Returns the query of the running automations whose trigger has this value in a field. */
const runningWith = (projectId: string, field: "segment_id" | "topic_id", id: string): SQL =>
  sql`select id, name from automations where project_id = ${projectId}
    and state in ('active', 'paused') and definition ->> ${`$.trigger.${field}`} = ${id}`;

/**
 * Returns the query of a project's broadcasts whose audience includes or excludes a segment, and of
 * the running automations that it lets people into.
 */
export const usesOfSegment = (projectId: string, segmentId: string): SQL =>
  sql`${drafts(
    projectId,
    sql`(plan ->> '$.segmentId' = ${segmentId} or exists (
      select 1 from json_each(plan, '$.excludeSegmentIds') where value = ${segmentId}))`,
  )}
    union all ${runningWith(projectId, "segment_id", segmentId)}`;

/**
 * Returns the query of a project's broadcasts whose audience is that of a topic, and of the running
 * automations that it lets people into. Broadcasts, and the mails of automations, need the topic until they have ended: each claim checks consent to it, and their mails link to it.
 */
export const usesOfTopic = (projectId: string, topicId: string): SQL =>
  sql`${drafts(projectId, sql`topic_id = ${topicId}`)}
    union all
    select id, iif(name = '', subject, name) from broadcasts indexed by broadcasts_by_state
      where state in ('queued', 'sending', 'paused')
        and project_id = ${projectId} and topic_id = ${topicId}
    union all ${runningWith(projectId, "topic_id", topicId)}`;

/** Returns a condition for a batch: the query finds no broadcast. */
export const isUnused = (uses: SQL): SQL => sql`not exists (${uses})`;

/** A broadcast that uses a topic or segment, with the total number of such broadcasts. */
interface Use {
  name: string;
  total: number;
}

/** Selects the newest broadcasts that use a topic or segment. */
export const selectUses = (db: Database, uses: SQL) =>
  db.all<Use>(
    sql`select name, count(*) over () as total from (${uses}) order by id desc limit ${MOST_NAMED}`,
  );

/** Returns the error for the deletion of a topic or segment that broadcasts use. */
export function inUse(what: "topic" | "segment", found: Use[]): AppError {
  const named = found.map(({ name }) => JSON.stringify(name));
  return refusal(`${what}_in_use`, { names: listOf(named, found[0]?.total ?? 0) });
}

/** The topic and segments that an audience references. */
interface Audience {
  topicId: string | null;
  segmentId: string | null;
  excludeSegmentIds: string[];
}

/**
 * Returns a condition for a batch: the topic and all segments of an audience exist in the project.
 */
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

/** Returns the error for a draft whose topic or segment has just been deleted. */
export const deletedMeanwhile = (): AppError => refusal("audience_deleted_meanwhile", {});
