import { runBatchAfter, type Database } from "../../../../db/client.ts";
import type { Ctx } from "../../../../context.ts";
import { notFound, refusal } from "../../../../errors.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { selectEntry } from "../../../email-log/index.ts";
import { wakeSenders } from "../../../projects/index.ts";
import { deleteBatch, moveBatch, selectBatch } from "../batch/batch-queries.ts";
import { deleteScheduled, moveScheduled, selectScheduledMail } from "./scheduled-queries.ts";
import { requireAhead } from "./schedule-time.ts";

/** The statements for each kind. The last one of a change returns a row on success. */
const KINDS = {
  email: {
    move: moveScheduled,
    cancel: deleteScheduled,
    /** The rows of one that waits or was sent. */
    find: (db: Database, projectId: string, id: string) => [
      selectScheduledMail(db, projectId, id),
      selectEntry(db, projectId, id),
    ],
    begun: "mail_not_waiting",
  },
  batch: {
    move: moveBatch,
    cancel: deleteBatch,
    find: (db: Database, projectId: string, id: string) => [selectBatch(db, projectId, id)],
    begun: "batch_not_waiting",
  },
} as const;

/** What waits for its time. */
export type ScheduledKind = keyof typeof KINDS;

/** A scheduled email or batch. */
interface ScheduledOne {
  kind: ScheduledKind;
  id: string;
}

/**
 * Moves an email or batch that has not begun to another time. Authorized by the route
 * (`send:transactional`). Throws invalid_request for the time, not_found, and mail_not_waiting or
 * batch_not_waiting.
 */
export async function reschedule(
  { deps }: Ctx,
  { id: projectId }: ProjectRow,
  one: ScheduledOne,
  at: number,
): Promise<void> {
  requireAhead(deps.now(), at);
  await change(deps.db, projectId, one, KINDS[one.kind].move(deps.db, projectId, one.id, at));
  deps.waitUntil(wakeSenders(deps, [projectId]));
}

/**
 * Deletes a scheduled email or batch that has not begun. Authorized by the route
 * (`send:transactional`). Throws not_found, and mail_not_waiting or batch_not_waiting.
 */
export const cancelScheduled = (
  { deps: { db } }: Ctx,
  { id: projectId }: ProjectRow,
  one: ScheduledOne,
) => change(db, projectId, one, KINDS[one.kind].cancel(db, projectId, one.id));

async function change(
  db: Database,
  projectId: string,
  { kind, id }: ScheduledOne,
  { before, last }: ReturnType<typeof moveScheduled>,
): Promise<void> {
  const { find, begun } = KINDS[kind];
  const [changed, ...found] = await runBatchAfter(db, before, [last, ...find(db, projectId, id)]);
  if (changed.length > 0) return;
  throw found.some((rows) => rows.length > 0) ? refusal(begun, {}) : notFound(kind);
}
