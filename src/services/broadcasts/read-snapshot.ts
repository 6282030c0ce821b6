import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { selectRecentOutcomes } from "../email-log/reports/index.ts";
import { limitsOf } from "../sending/index.ts";
import { selectHold } from "./chunk-queries.ts";
import { withProgress } from "./control-broadcast.ts";
import type { BroadcastSnapshot } from "./delivery-report.ts";
import { selectOpenCounts, selectProjectBroadcast } from "./queries.ts";
import { selectLinks, selectVisits, visitsOf } from "./visit-queries.ts";

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
  const [rows, open, visits, links, [recent], [hold]] = await runBatch(db, [
    selectProjectBroadcast(db, project.id, id),
    selectOpenCounts(db, sql`${id}`),
    selectVisits(db, project.id, sql`${id}`),
    selectLinks(db, project.id, id),
    selectRecentOutcomes(db, recently, RECENT_MAX, isSending),
    selectHold(db, id, now()),
  ]);
  const [progress] = withProgress(rows, open);
  if (!progress || !recent) throw notFound("broadcast");
  return {
    ...progress,
    visits: visitsOf(visits, id),
    links,
    recent,
    heldUntil: progress.state === "sending" ? (hold?.until ?? null) : null,
    limits: limitsOf(project).limits,
  };
}
