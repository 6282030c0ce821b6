import { runBatch } from "../../../../db/client.ts";
import type { Ctx } from "../../../../context.ts";
import { notFound, refusal } from "../../../../errors.ts";
import { totalOf, type ListPage } from "../../../../lib/page.ts";
import { countFor } from "../../../../db/paging.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { selectEntry } from "../../../email-log/index.ts";
import { wakeSenders } from "../../../projects/index.ts";
import {
  countScheduled,
  deleteScheduled,
  moveScheduled,
  selectScheduled,
  selectScheduledMail,
  type ScheduledFilter,
  type ScheduledRow,
} from "./scheduled-queries.ts";
import { requireAhead } from "./schedule-time.ts";

/**
 * Moves a scheduled mail that has not begun to another time. Authorized by the route
 * (`send:transactional`). Throws invalid_request for the time, not_found, and mail_not_waiting.
 */
export async function rescheduleMail(
  { deps }: Ctx,
  { id: projectId }: ProjectRow,
  id: string,
  at: number,
): Promise<void> {
  requireAhead(deps.now(), at);
  await change({ deps }, projectId, id, moveScheduled(deps.db, projectId, id, at));
  deps.waitUntil(wakeSenders(deps, [projectId]));
}

/**
 * Deletes a scheduled mail that has not begun. Authorized by the route (`send:transactional`).
 * Throws not_found and mail_not_waiting.
 */
export const cancelMail = ({ deps }: Ctx, { id: projectId }: ProjectRow, id: string) =>
  change({ deps }, projectId, id, deleteScheduled(deps.db, projectId, id));

async function change(
  { deps: { db } }: Pick<Ctx, "deps">,
  projectId: string,
  id: string,
  statement: ReturnType<typeof moveScheduled>,
): Promise<void> {
  const [changed, begun, logged] = await runBatch(db, [
    statement,
    selectScheduledMail(db, projectId, id),
    selectEntry(db, projectId, id),
  ]);
  if (changed.length > 0) return;
  throw begun.length + logged.length > 0 ? refusal("mail_not_waiting", {}) : notFound("email");
}

/** Returns a page of the scheduled mails of a project as entries of the log, the last one first. */
export async function listScheduled(
  { deps: { db } }: Ctx,
  { id: projectId }: ProjectRow,
  filter: ScheduledFilter,
  page: ListPage<readonly [sentAt: number, id: string]>,
): Promise<{ logs: ScheduledRow[]; total: number | undefined }> {
  const [logs, totals] = await runBatch(db, [
    selectScheduled(db, projectId, filter, page),
    countFor(db, page, countScheduled(db, projectId, filter)),
  ]);
  return { logs, total: totalOf(page, totals) };
}
