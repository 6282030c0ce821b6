import type { Ctx } from "../../../../context.ts";
import { objectOf } from "../../../../project-object.ts";
import { errorText, logLine } from "../../../../lib/log-line.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { waitUntilOver } from "../../../broadcasts/index.ts";
import { wakeSenders } from "../../../projects/index.ts";
import { getBatch, type BatchReport } from "./read-batch.ts";

/**
 * Waits for the outcomes of a batch that the request has stored: until all recipients have been
 * tried, or `isWanted` returns false because the caller has gone.
 */
export async function sendBatch(
  { deps, ...ctx }: Ctx,
  project: ProjectRow,
  id: string,
  isWanted: () => boolean,
): Promise<BatchReport> {
  try {
    await objectOf(deps.senders, project).wake(project.id);
  } catch (error) {
    logLine("error", "sender_not_woken", { projectId: project.id, error: errorText(error) });
    await wakeSenders(deps, [project.id]);
  }
  await waitUntilOver(deps, id, isWanted);
  return getBatch({ deps, ...ctx }, project, id);
}
