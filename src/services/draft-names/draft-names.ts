import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { conflict, type AppError } from "../../errors.ts";

/** The most drafts that a refusal names. */
const MOST_NAMED = 5;

/** Returns a condition on a broadcast: its audience is that of a topic. */
export const namesTopic = (topicId: string): SQL => sql`topic_id = ${topicId}`;

/** Returns a condition on a broadcast that was a draft: its audience has or excludes a segment. */
export const namesSegment = (segmentId: string): SQL =>
  sql`(plan ->> '$.segmentId' = ${segmentId} or exists (
    select 1 from json_each(plan, '$.excludeSegmentIds') where value = ${segmentId}))`;

/** A broadcast keeps this kind until it begins to send, even while it is scheduled. */
const drafts = (projectId: string, names: SQL) =>
  sql`from broadcasts where project_id = ${projectId} and kind = 'draft' and ${names}`;

/**
 * Returns a condition for a batch: no draft or scheduled broadcast of the project names a thing.
 */
export const noDraftHas = (projectId: string, names: SQL): SQL =>
  sql`not exists (select 1 ${drafts(projectId, names)})`;

/** A draft that names a thing, with the number of all of them. */
interface DraftWith {
  name: string;
  total: number;
}

/** Selects the newest drafts and scheduled broadcasts that name a thing. */
export const selectDraftsWith = (db: Database, projectId: string, names: SQL) =>
  db.all<DraftWith>(
    sql`select name, count(*) over () as total ${drafts(projectId, names)}
      order by id desc limit ${MOST_NAMED}`,
  );

/** Returns the refusal to delete a thing that drafts name. */
export function inUse(what: string, found: DraftWith[]): AppError {
  const names = found.map(({ name }) => JSON.stringify(name)).join(", ");
  const others = (found[0]?.total ?? 0) - found.length;
  const more = others > 0 ? ` and ${others} more` : "";
  return conflict(`the ${what} is in use by drafts or scheduled broadcasts: ${names}${more}`);
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
export const deletedMeanwhile = (): AppError =>
  conflict("a topic or segment of the audience has just been deleted: choose another one");
