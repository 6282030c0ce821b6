import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { deleteProjectRow, endSessions, projectExists } from "../projects/index.ts";
import { endLinks } from "../tracking/index.ts";
import { purgeStep } from "./purge-project.ts";
import { insertPurge } from "./queries.ts";

/**
 * Deletes a project with everything in it. The route checks `projects:delete`. Throws not_found if
 * another request was faster. The project disappears immediately for every request, and its tracked
 * links end within minutes; the minute sweep deletes the rows beyond the first 500 of a table.
 */
export async function deleteProject(ctx: Ctx, project: ProjectRow): Promise<void> {
  const { deps } = ctx;
  const { db, now } = deps;
  const fact = {
    scopeId: project.workspaceId,
    action: "project.delete",
    targetId: project.id,
    metadata: { name: project.name },
  } as const;
  const [, deleted] = await runBatch(db, [
    auditStatement(ctx, fact, projectExists(project.id)),
    deleteProjectRow(db, project.id),
    insertPurge(db, project.id, now()),
    ...purgeStep(db, project.id),
  ]);
  if (deleted.length === 0) throw notFound("project");
  deps.waitUntil(endSessions(deps, project));
  deps.waitUntil(endLinksOf(deps, project.id));
}

/** Ends the tracked links immediately; if KV fails, the sweep ends them. */
async function endLinksOf(deps: Deps, projectId: string): Promise<void> {
  try {
    await endLinks(deps, projectId);
  } catch (error) {
    logLine("warn", "links_not_ended", { projectId, error: errorText(error) });
  }
}
