import { and, asc, eq, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { savedBlocks } from "../../db/schema/index.ts";
import { notFound, refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";

export type SavedBlockRow = typeof savedBlocks.$inferSelect;

/** The maximum number of saved blocks per project; our own limit. */
const MOST_SAVED_BLOCKS = 100;

const ownBlock = (projectId: string, id: string) =>
  and(eq(savedBlocks.projectId, projectId), eq(savedBlocks.id, id));

const blockExists = (projectId: string, id: string) =>
  sql`exists (select 1 from saved_blocks where id = ${id} and project_id = ${projectId})`;

/**
 * Keeps a block of a mail under a name. The route checks `templates:write`. Throws 409 if the
 * project has 100 blocks.
 */
export async function saveBlock(
  ctx: Ctx,
  project: ProjectRow,
  { name, block }: Pick<SavedBlockRow, "name" | "block">,
): Promise<SavedBlockRow> {
  const { db, newId, now } = ctx.deps;
  const id = newId();
  const fact = {
    scopeId: project.id,
    action: "saved_block.create",
    targetId: id,
    metadata: { name },
  } as const;
  const [, , [saved]] = await runBatch(db, [
    db.run(
      sql`insert into saved_blocks (id, project_id, name, block, created_at)
        select ${id}, ${project.id}, ${name}, ${JSON.stringify(block)}, ${now()}
        where ${projectExists(project.id)}
          and (select count(*) from saved_blocks where project_id = ${project.id}) < ${MOST_SAVED_BLOCKS}`,
    ),
    auditStatement(ctx, fact, blockExists(project.id, id)),
    db.select().from(savedBlocks).where(ownBlock(project.id, id)),
  ]);
  if (!saved) throw refusal("too_many_saved_blocks", { max: MOST_SAVED_BLOCKS });
  return saved;
}

/** Lists the saved blocks of a project by name. */
export function listSavedBlocks({ deps }: Ctx, project: ProjectRow): Promise<SavedBlockRow[]> {
  return deps.db
    .select()
    .from(savedBlocks)
    .where(eq(savedBlocks.projectId, project.id))
    .orderBy(asc(savedBlocks.name))
    .all();
}

/**
 * Deletes a saved block; mails that contain a copy keep it. The route checks `templates:write`.
 * Throws not_found.
 */
export async function deleteSavedBlock(ctx: Ctx, project: ProjectRow, id: string): Promise<void> {
  const { db } = ctx.deps;
  const fact = {
    scopeId: project.id,
    action: "saved_block.delete",
    targetId: id,
    metadata: sql`(select json_object('name', name) from saved_blocks where id = ${id})`,
  } as const;
  const [, deleted] = await runBatch(db, [
    auditStatement(ctx, fact, blockExists(project.id, id)),
    db.delete(savedBlocks).where(ownBlock(project.id, id)).returning({ id: savedBlocks.id }),
  ]);
  if (deleted.length === 0) throw notFound("saved block");
}
