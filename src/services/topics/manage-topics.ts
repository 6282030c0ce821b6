import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { optionalRead, runBatch } from "../../db/client.ts";
import { changedMeanwhile, notFound, refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { inUse, isUnused, selectUses, usesOfTopic } from "../draft-references/index.ts";
import { projectExists } from "../projects/index.ts";
import { noOthers, placesOf, selectConditions, referencing } from "../segments/index.ts";
import {
  hasRoom,
  insertTopic,
  MOST_TOPICS,
  nameIsFree,
  namesake,
  removeTopic,
  selectTopic,
  selectTopics,
  topicIs,
  updateTopicRow,
  type ListedTopic,
  type TopicInput,
  type TopicRow,
} from "./topic-queries.ts";

/**
 * Adds a topic without subscribers. Throws 409 if the project has a topic with this name, compared
 * case-insensitively, or 50 topics.
 */
export async function createTopic(
  ctx: Ctx,
  project: ProjectRow,
  input: TopicInput,
): Promise<TopicRow> {
  const { db, newId, now } = ctx.deps;
  const { name } = input;
  const [id, at] = [newId(), now()];
  const when = sql`${projectExists(project.id)} and ${hasRoom(project.id)} and ${nameIsFree(project.id, id, name)}`;
  const row = { id, projectId: project.id, ...input, createdAt: at, updatedAt: at };
  const fact = {
    scopeId: project.id,
    action: "topic.create",
    targetId: id,
    metadata: { name },
  } as const;
  const [[topic], , [other]] = await runBatch(db, [
    insertTopic(db, row, when),
    auditStatement(ctx, fact, topicIs(project.id, id, undefined)),
    db.all<{ name: string }>(namesake(project.id, id, name)),
  ]);
  if (topic) return topic;
  if (other) throw nameTaken(other.name);
  throw refusal("too_many_topics", { max: MOST_TOPICS });
}

/** Lists the topics of a project by name, with the numbers of their subscribers. */
export function listTopics({ deps }: Ctx, project: ProjectRow): Promise<ListedTopic[]> {
  return selectTopics(deps.db, project.id).all();
}

/** Reads a topic. Throws not_found. */
export async function getTopic({ deps }: Ctx, project: ProjectRow, id: string): Promise<TopicRow> {
  return firstTopic(await selectTopic(deps.db, project.id, id));
}

/**
 * Changes the given fields of a topic. Its consents stay, and the history keeps the names that
 * people agreed to. Throws not_found, precondition_failed if the topic's version is not one of the
 * expected ones, and 409 if another topic has the name, compared case-insensitively, or if a
 * condition uses the previous name: `not topic:…` would then match all subscribers.
 */
export async function changeTopic(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  change: Partial<TopicInput>,
  expected?: number[],
): Promise<TopicRow> {
  const { db, now } = ctx.deps;
  const unnamed =
    change.name === undefined
      ? sql`true`
      : await requireUnreferenced(ctx, project, id, { name: change.name, expected });
  const free = nameIsFree(project.id, id, change.name);
  const when = sql`${topicIs(project.id, id, expected)} and ${free} and ${unnamed}`;
  const fact = {
    scopeId: project.id,
    action: "topic.update",
    targetId: id,
    metadata: { ...change },
  } as const;
  const [, [topic], kept, [other]] = await runBatch(db, [
    auditStatement(ctx, fact, when),
    updateTopicRow(db, project.id, id, change, now(), when),
    selectTopic(db, project.id, id),
    optionalRead(change.name, (name) => db.all<{ name: string }>(namesake(project.id, id, name))),
  ]);
  if (topic) return topic;
  firstTopic(kept, expected);
  throw other ? nameTaken(other.name) : namedMeanwhile();
}

/**
 * Deletes a topic with the consents to it; the history stays. Throws not_found, and 409 while it is
 * the audience of drafts or of broadcasts that have not ended, or is used in conditions.
 */
export async function deleteTopic(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { db, now } = ctx.deps;
  const name = sql`(select json_object('name', name) from topics where id = ${id})`;
  const uses = usesOfTopic(project.id, id);
  const unnamed = await requireUnreferenced(ctx, project, id);
  const isFree = sql`${isUnused(uses)} and ${unnamed}`;
  const [, , deleted, [kept], using] = await runBatch(db, [
    auditStatement(
      ctx,
      { scopeId: project.id, action: "topic.delete", targetId: id, metadata: name },
      sql`${topicIs(project.id, id, undefined)} and ${isFree}`,
    ),
    ...removeTopic(db, project.id, id, now(), isFree),
    selectTopic(db, project.id, id),
    selectUses(db, uses),
  ]);
  if (kept) throw using.length === 0 ? namedMeanwhile() : inUse("topic", using);
  if (deleted.length === 0) throw notFound("topic");
}

/**
 * Returns a condition for a batch: no condition whose reference to a topic would break has been
 * added. Throws not_found, precondition_failed as `changeTopic` does, and 409 if deleting or
 * renaming the topic would break a condition.
 */
async function requireUnreferenced(
  { deps: { db } }: Ctx,
  { id: projectId }: ProjectRow,
  id: string,
  renamed?: { name: string; expected: number[] | undefined },
): Promise<SQL> {
  const [found, conditions] = await runBatch(db, [
    selectTopic(db, projectId, id),
    selectConditions(db, projectId),
  ]);
  const topic = firstTopic(found, renamed?.expected);
  const naming = referencing(conditions, topic, renamed?.name);
  if (naming.length === 0) return noOthers(projectId, conditions);
  const places = placesOf(naming);
  throw renamed === undefined
    ? refusal("topic_in_conditions", { places })
    : refusal("topic_name_in_conditions", { places, id });
}

const namedMeanwhile = () => refusal("topic_named_meanwhile", {});

function firstTopic([topic]: TopicRow[], expected?: number[]): TopicRow {
  if (!topic) throw notFound("topic");
  if (expected?.includes(topic.updatedAt) === false) throw changedMeanwhile("topic");
  return topic;
}

const nameTaken = (name: string) => refusal("topic_exists", { name });
