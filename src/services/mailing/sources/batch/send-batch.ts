import type { Ctx } from "../../../../context.ts";
import { objectOf } from "../../../../project-object.ts";
import { errorText, logLine } from "../../../../lib/log-line.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { getBatch, waitUntilOver } from "../../../broadcasts/index.ts";
import { wakeSenders } from "../../../projects/index.ts";
import type { BatchAnswer } from "../answers.ts";
import { MAX_FAILURES } from "./batch-failures.ts";

/**
 * Waits for the outcomes of a batch that the request has stored: until all recipients have been
 * tried, or `isWanted` returns false because the caller has gone.
 */
export async function sendBatch(
  { deps, ...ctx }: Ctx,
  project: ProjectRow,
  id: string,
  isWanted: () => boolean,
): Promise<BatchAnswer> {
  try {
    await objectOf(deps.senders, project).wake(project.id);
  } catch (error) {
    logLine("error", "sender_not_woken", { projectId: project.id, error: errorText(error) });
    await wakeSenders(deps, [project.id]);
  }
  await waitUntilOver(deps, id, isWanted);
  return readAnswer({ deps, ...ctx }, project, id);
}

/** Returns the outcomes of a batch so far, with its first failures. */
export async function readAnswer(ctx: Ctx, project: ProjectRow, id: string): Promise<BatchAnswer> {
  const page = { limit: MAX_FAILURES, offset: 0 };
  const { sent, failed, bounced, suppressed, failures } = await getBatch(ctx, project, id, page);
  return { sent, failed, bounced, suppressed, failures };
}
