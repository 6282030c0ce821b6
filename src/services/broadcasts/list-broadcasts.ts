import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { countFor } from "../../db/paging.ts";
import { totalOf, type ListPage } from "../../lib/page.ts";
import { selectFirstOpens, type FirstOpens } from "../email-log/reports/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { withProgress, type BroadcastProgress } from "./control-broadcast.ts";
import {
  countBroadcasts,
  pageIds,
  selectBroadcasts,
  selectOpenCounts,
  type Listed,
} from "./queries.ts";
import { selectVisits, visitsOf, type Visits } from "./visit-queries.ts";

/** The number of hours at the beginning of a broadcast whose opens a list can include. */
export const HOURS_OF_OPENS = 48;

/** A broadcast of a list, with the number of its mails that were opened and clicked. */
export type ListedBroadcast = BroadcastProgress & {
  visits: Visits;
  /** First opens by people in each of the first 48 UTC hours; undefined if not asked for. */
  opensByHour: number[] | undefined;
};

/**
 * Returns a page of the project's broadcasts in a state, or else of those that have begun, newest
 * first. Also returns their number if the page asks for it, and the opens of their first hours.
 */
export async function listBroadcasts(
  ctx: Ctx,
  project: ProjectRow,
  page: ListPage<string> & Pick<Listed, "state"> & { withOpens: boolean },
): Promise<{ broadcasts: ListedBroadcast[]; total: number | undefined }> {
  const { db } = ctx.deps;
  const listed: Listed = { projectId: project.id, state: page.state };
  const [rows, totals, open, visits, opens] = await runBatch(db, [
    selectBroadcasts(db, listed, page),
    countFor(db, page, countBroadcasts(db, listed)),
    selectOpenCounts(db, pageIds(listed, page)),
    selectVisits(db, project.id, pageIds(listed, page)),
    ...(page.withOpens
      ? [selectFirstOpens(db, project.id, pageIds(listed, page), HOURS_OF_OPENS)]
      : []),
  ]);
  const broadcasts = withProgress(rows, open).map((one) => ({
    ...one,
    visits: visitsOf(visits, one.id),
    opensByHour: opens && hourlyOf(opens, one.id),
  }));
  return { broadcasts, total: totalOf(page, totals) };
}

function hourlyOf(opens: FirstOpens[], id: string): number[] {
  const hours = Array.from({ length: HOURS_OF_OPENS }, () => 0);
  for (const { broadcastId, n, opens: count } of opens) if (broadcastId === id) hours[n] = count;
  return hours;
}
