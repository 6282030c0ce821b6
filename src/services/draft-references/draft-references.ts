import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { type AppError, refusal } from "../../errors.ts";
import { listOf } from "../../messages/lists.ts";

/** The maximum number of broadcasts and automations that an error names. */
const MOST_NAMED = 5;

/**
 * Returns the query of the drafts and scheduled broadcasts that meet a condition. A broadcast has
 * the kind `draft` until it begins to send.
 */
const drafts = (projectId: string, names: SQL): SQL =>
  sql`select id, name from broadcasts
    where project_id = ${projectId} and kind = 'draft' and ${names}`;

/**
 * Returns the query of the definitions that a project's automations follow or may start with: the
 * current ones until they are stopped, and earlier versions with people at their steps. What the
 * trigger of an earlier version names is left out, since it lets nobody in any more.
 */
export const definitionsInUse = (projectId: string): SQL =>
  sql`select id, name, definition from automations
      where project_id = ${projectId} and state <> 'stopped'
    union all
    select a.id, a.name, json_remove(v.definition, '$.trigger')
      from automations a
        cross join automation_versions v on v.automation_id = a.id and v.version < a.version
      where a.project_id = ${projectId} and a.state in ('active', 'paused')
        and (select sum(iif(what = 'in', n, -n)) from automation_counts
          where automation_id = a.id and version = v.version and what in ('in', 'out')) > 0`;

/** Returns the query of the automations whose definition has the id of a topic or segment. */
const automationsWith = (projectId: string, id: string): SQL =>
  sql`select id, name from (${definitionsInUse(projectId)}) where instr(definition, ${id})`;

/**
 * Returns the query of a project's broadcasts whose audience includes or excludes a segment, and of
 * the automations that use it.
 */
export const usesOfSegment = (projectId: string, segmentId: string): SQL =>
  sql`${drafts(
    projectId,
    sql`(plan ->> '$.segmentId' = ${segmentId} or exists (
      select 1 from json_each(plan, '$.excludeSegmentIds') where value = ${segmentId}))`,
  )}
    union ${automationsWith(projectId, segmentId)}`;

/**
 * Returns the query of a project's broadcasts whose audience is that of a topic, and of the
 * automations that use it. Broadcasts, and the waiting mails of automations, need the topic until
 * they have ended: each claim checks consent to it, and their mails link to it.
 */
export const usesOfTopic = (projectId: string, topicId: string): SQL =>
  sql`${drafts(projectId, sql`topic_id = ${topicId}`)}
    union
    select coalesce(automation_id, id), iif(name = '', subject, name)
      from broadcasts indexed by broadcasts_by_state
      where state in ('queued', 'sending', 'paused')
        and project_id = ${projectId} and topic_id = ${topicId}
        and (automation_id is null
          or exists (select 1 from broadcast_chunks where broadcast_id = broadcasts.id))
    union ${automationsWith(projectId, topicId)}`;

/** Returns a condition for a batch: the query finds nothing. */
export const isUnused = (uses: SQL): SQL => sql`not exists (${uses})`;

/** A broadcast or automation that uses a topic or segment, with the total number of them. */
interface Use {
  name: string;
  total: number;
}

/** Selects the newest broadcasts and automations that use a topic or segment. */
export const selectUses = (db: Database, uses: SQL) =>
  db.all<Use>(
    sql`select name, count(*) over () as total from (${uses}) order by id desc limit ${MOST_NAMED}`,
  );

/** Returns the error for the deletion of a topic or segment in use. */
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
