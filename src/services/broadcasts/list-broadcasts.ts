import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { countFor } from "../../db/paging.ts";
import { totalOf, type ListPage } from "../../lib/page.ts";
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

/** A broadcast of a list, with the number of its mails that were opened and clicked. */
export type ListedBroadcast = BroadcastProgress & { visits: Visits };

/**
 * Returns a page of the project's broadcasts in a state, or else of those that have begun, newest
 * first. Also returns their number if the page asks for it.
 */
export async function listBroadcasts(
  ctx: Ctx,
  project: ProjectRow,
  page: ListPage<string> & Pick<Listed, "state">,
): Promise<{ broadcasts: ListedBroadcast[]; total: number | undefined }> {
  const { db } = ctx.deps;
  const listed: Listed = { projectId: project.id, state: page.state };
  const [rows, totals, open, visits] = await runBatch(db, [
    selectBroadcasts(db, listed, page),
    countFor(db, page, countBroadcasts(db, listed)),
    selectOpenCounts(db, pageIds(listed, page)),
    selectVisits(db, project.id, pageIds(listed, page)),
  ]);
  const broadcasts = withProgress(rows, open).map((one) => ({
    ...one,
    visits: visitsOf(visits, one.id),
  }));
  return { broadcasts, total: totalOf(page, totals) };
}
