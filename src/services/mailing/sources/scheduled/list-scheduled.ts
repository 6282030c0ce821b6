import { runBatch } from "../../../../db/client.ts";
import { countFor } from "../../../../db/paging.ts";
import type { Ctx } from "../../../../context.ts";
import { totalOf, type ListPage } from "../../../../lib/page.ts";
import type { ProjectRow } from "../../../access/index.ts";
import { sizeOfBatch } from "../batch/recipient-ids.ts";
import {
  countScheduledMails,
  countWaiting,
  selectScheduledMails,
  selectWaiting,
  type ScheduledFilter,
  type ScheduledRow,
  type WaitingRow,
} from "./scheduled-queries.ts";

/** The time and id after which a page begins. */
type Place = readonly [at: number, id: string];

/** Returns a page of the scheduled mails of a project as entries of the log, the last one first. */
export async function listScheduledMails(
  { deps: { db } }: Ctx,
  { id: projectId }: ProjectRow,
  filter: ScheduledFilter,
  page: ListPage<Place>,
): Promise<{ logs: ScheduledRow[]; total: number | undefined }> {
  const [logs, totals] = await runBatch(db, [
    selectScheduledMails(db, projectId, filter, page),
    countFor(db, page, countScheduledMails(db, projectId, filter)),
  ]);
  return { logs, total: totalOf(page, totals) };
}

/** An email or batch that waits for its time, with the number of its recipients. */
export type Waiting = Omit<WaitingRow, "lastId"> & { recipients: number };

/** Returns a page of the emails and batches of a project that wait, the next one first. */
export async function listScheduled(
  { deps: { db, now } }: Ctx,
  { id: projectId }: ProjectRow,
  filter: ScheduledFilter,
  page: ListPage<Place>,
): Promise<{ scheduled: Waiting[]; total: number | undefined }> {
  const wanted = { ...filter, now: now() };
  const [rows, totals] = await runBatch(db, [
    selectWaiting(db, projectId, wanted, page),
    countFor(db, page, countWaiting(db, projectId, wanted)),
  ]);
  const scheduled = rows.map(({ lastId, ...row }) => ({
    ...row,
    recipients: lastId === null ? 1 : sizeOfBatch({ lastId }),
  }));
  return { scheduled, total: totalOf(page, totals) };
}
