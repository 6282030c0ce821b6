import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { changedMeanwhile, notFound, refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { inUse, isUnused, selectUses, usesOfSegment } from "../draft-references/index.ts";
import { projectExists } from "../projects/index.ts";
import type { Condition } from "./condition.ts";
import { formatCondition } from "./format-condition.ts";
import {
  requireKnownTopics,
  selectUnknownTopics,
  topicsAreKnown,
  topicsOf,
} from "./unknown-topics.ts";
import {
  deleteSegmentRow,
  hasRoom,
  insertSegment,
  MOST_SEGMENTS,
  nameIsFree,
  segmentIs,
  selectSegment,
  selectSegments,
  updateSegmentRow,
  type SegmentRow,
} from "./segment-queries.ts";

/**
 * The user-defined fields of a segment. A condition may contain personal data, so no audit entry
 * contains it.
 */
export interface SegmentInput {
  name: string;
  where: Condition;
}

/**
 * Saves a condition under a name. The route checks `subscribers:write`. Throws 400 for a topic that
 * the project does not have. Throws 409 if the project has a segment with this name, or 200
 * segments.
 */
export async function createSegment(
  ctx: Ctx,
  project: ProjectRow,
  { name, where }: SegmentInput,
): Promise<SegmentRow> {
  const { db, newId, now } = ctx.deps;
  const [id, at, condition] = [newId(), now(), formatCondition(where)];
  const topics = topicsOf(where);
  const when = sql`${projectExists(project.id)} and ${hasRoom(project.id)} and ${nameIsFree(project.id, id, name)}
    and ${topicsAreKnown(project.id, topics)}`;
  const row = { id, projectId: project.id, name, condition, createdAt: at, updatedAt: at };
  const fact = {
    scopeId: project.id,
    action: "segment.create",
    targetId: id,
    metadata: { name },
  } as const;
  const [[segment], , all, unknown] = await runBatch(db, [
    insertSegment(db, row, when),
    auditStatement(ctx, fact, segmentIs(project.id, id, undefined)),
    selectSegments(db, project.id),
    selectUnknownTopics(db, project.id, topics),
  ]);
  if (segment) return segment;
  requireKnownTopics(unknown);
  if (all.some((one) => one.name === name)) throw refusal("segment_exists", { name });
  throw refusal("too_many_segments", { max: MOST_SEGMENTS });
}

/** Lists the segments of a project by name. */
export function listSegments({ deps }: Ctx, project: ProjectRow): Promise<SegmentRow[]> {
  return selectSegments(deps.db, project.id).all();
}

/** Reads a segment. Throws not_found. */
export async function getSegment(
  { deps }: Ctx,
  project: ProjectRow,
  id: string,
): Promise<SegmentRow> {
  return firstSegment(await selectSegment(deps.db, project.id, id));
}

/**
 * Changes the given fields of a segment. The route checks `subscribers:write`. Throws not_found,
 * precondition_failed if the segment's version is not one of the expected ones, 400 for a topic
 * that the project does not have, and 409 if another segment has the name.
 */
export async function changeSegment(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  { name, where }: Partial<SegmentInput>,
  expected?: number[],
): Promise<SegmentRow> {
  const { db, now } = ctx.deps;
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(where ? { condition: formatCondition(where) } : {}),
  };
  const topics = where ? topicsOf(where) : [];
  const when = sql`${segmentIs(project.id, id, expected)} and ${nameIsFree(project.id, id, name)}
    and ${topicsAreKnown(project.id, topics)}`;
  const fact = {
    scopeId: project.id,
    action: "segment.update",
    targetId: id,
    metadata: name === undefined ? {} : { name },
  } as const;
  const [, [segment], kept, unknown] = await runBatch(db, [
    auditStatement(ctx, fact, when),
    updateSegmentRow(db, project.id, id, change, now(), when),
    selectSegment(db, project.id, id),
    selectUnknownTopics(db, project.id, topics),
  ]);
  if (segment) return segment;
  firstSegment(kept, expected);
  requireKnownTopics(unknown);
  throw refusal("segment_exists", { name: name ?? "" });
}

/**
 * Deletes a segment; its subscribers stay. Throws not_found, and 409 while drafts or scheduled
 * broadcasts use it.
 */
export async function deleteSegment(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { db } = ctx.deps;
  const metadata = sql`(select json_object('name', name) from segments where id = ${id})`;
  const uses = usesOfSegment(project.id, id);
  const isFree = isUnused(uses);
  const [, deleted, [kept], using] = await runBatch(db, [
    auditStatement(
      ctx,
      { scopeId: project.id, action: "segment.delete", targetId: id, metadata },
      sql`${segmentIs(project.id, id, undefined)} and ${isFree}`,
    ),
    deleteSegmentRow(db, project.id, id, isFree),
    selectSegment(db, project.id, id),
    selectUses(db, uses),
  ]);
  if (kept) throw inUse("segment", using);
  if (deleted.length === 0) throw notFound("segment");
}

function firstSegment([segment]: SegmentRow[], expected?: number[]): SegmentRow {
  if (!segment) throw notFound("segment");
  if (expected?.includes(segment.updatedAt) === false) throw changedMeanwhile("segment");
  return segment;
}
