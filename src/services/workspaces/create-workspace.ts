import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { UserActor, WorkspaceRow } from "../access/index.ts";
import { newWorkspace } from "./new-workspace.ts";

/**
 * Creates a workspace with the actor as its first owner. Any user may call it (API reference §8).
 */
export async function createWorkspace(
  ctx: Ctx,
  actor: UserActor,
  input: { name: string },
): Promise<WorkspaceRow> {
  const { workspace, statements } = newWorkspace(ctx, { name: input.name, ownerId: actor.userId });
  await runBatch(ctx.deps.db, statements);
  return workspace;
}
