import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { withProgress } from "./control-broadcast.ts";
import type { BroadcastLook } from "./ledger.ts";
import { selectOpenCounts, selectProjectBroadcast } from "./queries.ts";
import { selectLinks, selectVisits } from "./visit-queries.ts";

/** Returns a broadcast with all its counts, in one round trip. Throws not_found. */
export async function lookAtBroadcast(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
): Promise<BroadcastLook> {
  const { db } = ctx.deps;
  const [rows, open, [visits], links] = await runBatch(db, [
    selectProjectBroadcast(db, project.id, id),
    selectOpenCounts(db, sql`${id}`),
    selectVisits(db, project.id, id),
    selectLinks(db, project.id, id),
  ]);
  const [progress] = withProgress(rows, open);
  if (!progress || !visits) throw notFound("broadcast");
  return { ...progress, visits, links };
}
