import { sql } from "drizzle-orm";
import type { Ctx } from "../../../context.ts";
import { runBatch, type BatchResults } from "../../../db/client.ts";
import { notFound } from "../../../errors.ts";
import type { ProjectRow } from "../../access/index.ts";
import { auditStatement } from "../../audit/index.ts";
import { isOfProject, selectArchiveState } from "./archive-queries.ts";

/** Whether the archive shows a broadcast. */
export interface ArchiveState {
  /** Null for the rule: a broadcast to the whole topic is shown. */
  inArchive: boolean | null;
  /** True if its topic has an archive. */
  hasArchive: boolean;
  isShown: boolean;
}

/** Returns whether the archive shows a broadcast or, for a draft, will. Throws not_found. */
export async function readArchiveState(
  { deps }: Ctx,
  project: ProjectRow,
  id: string,
): Promise<ArchiveState> {
  return stateOf(await selectArchiveState(deps.db, project.id, id));
}

/**
 * Shows a broadcast in the archive of its topic, or takes it out; null restores the rule. Throws
 * not_found.
 */
export async function setInArchive(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  inArchive: boolean | null,
): Promise<ArchiveState> {
  const { db } = ctx.deps;
  const is = sql`broadcasts.id = ${id} and ${isOfProject(project.id)}`;
  const fact = {
    scopeId: project.id,
    action: "broadcast.archive",
    targetId: id,
    metadata: { in_archive: inArchive ?? "by rule" },
  } as const;
  const value = inArchive === null ? null : Number(inArchive);
  const [, , rows] = await runBatch(db, [
    auditStatement(ctx, fact, sql`exists (select 1 from broadcasts where ${is})`),
    db.run(sql`update broadcasts set in_archive = ${value} where ${is}`),
    selectArchiveState(db, project.id, id),
  ]);
  return stateOf(rows);
}

function stateOf([row]: BatchResults<[ReturnType<typeof selectArchiveState>]>[0]): ArchiveState {
  if (!row) throw notFound("broadcast");
  const { inArchive, hasArchive, isShown } = row;
  return {
    inArchive: inArchive === null ? null : inArchive === 1,
    hasArchive: hasArchive === 1,
    isShown: isShown === 1,
  };
}
