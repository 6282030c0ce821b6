import type { Ctx } from "../../../../context.ts";
import { runBatch } from "../../../../db/client.ts";
import { notFound, refusal } from "../../../../errors.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { wakeSenders } from "../../../projects/index.ts";
import { requireAhead } from "../scheduled/schedule-time.ts";
import { deleteBatch, moveBatch, selectBatch } from "./batch-queries.ts";

/**
 * Moves a scheduled batch that has not begun to another time. Authorized by the route
 * (`send:transactional`). Throws invalid_request for the time, not_found, and batch_not_waiting.
 */
export async function rescheduleBatch(
  { deps }: Ctx,
  { id: projectId }: ProjectRow,
  id: string,
  at: number,
): Promise<void> {
  requireAhead(deps.now(), at);
  await change({ deps }, projectId, id, moveBatch(deps.db, projectId, id, at));
  deps.waitUntil(wakeSenders(deps, [projectId]));
}

/**
 * Deletes a scheduled batch that has not begun. Authorized by the route (`send:transactional`).
 * Throws not_found and batch_not_waiting.
 */
export const cancelBatch = ({ deps }: Ctx, { id: projectId }: ProjectRow, id: string) =>
  change({ deps }, projectId, id, deleteBatch(deps.db, projectId, id));

async function change(
  { deps: { db } }: Pick<Ctx, "deps">,
  projectId: string,
  id: string,
  statements: ReturnType<typeof moveBatch>,
): Promise<void> {
  const [, changed, found] = await runBatch(db, [...statements, selectBatch(db, projectId, id)]);
  if (changed.length > 0) return;
  throw found.length > 0 ? refusal("batch_not_waiting", {}) : notFound("batch");
}
