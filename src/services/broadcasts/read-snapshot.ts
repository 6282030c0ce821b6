import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { selectRecentOutcomes } from "../email-log/reports/index.ts";
import { withProgress } from "./control-broadcast.ts";
import type { BroadcastSnapshot } from "./delivery-report.ts";
import { selectOpenCounts, selectProjectBroadcast } from "./queries.ts";
import { selectLinks, selectVisits } from "./visit-queries.ts";

/** The number of recent mails of a project from which the send rate is computed. */
const RECENT_MAX = 500;

/** Returns a broadcast with all its counts, in one round trip. Throws not_found. */
export async function readSnapshot(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
): Promise<BroadcastSnapshot> {
  const { db, now } = ctx.deps;
  const recently = { projectId: project.id, broadcastId: id, from: now() - HOUR_MS };
  const isSending = sql`exists (select 1 from broadcasts where id = ${id} and state = 'sending')`;
  const [rows, open, [visits], links, [recent]] = await runBatch(db, [
    selectProjectBroadcast(db, project.id, id),
    selectOpenCounts(db, sql`${id}`),
    selectVisits(db, project.id, id),
    selectLinks(db, project.id, id),
    selectRecentOutcomes(db, recently, RECENT_MAX, isSending),
  ]);
  const [progress] = withProgress(rows, open);
  if (!progress || !visits || !recent) throw notFound("broadcast");
  return { ...progress, visits, links, recent };
}
