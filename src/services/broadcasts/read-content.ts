import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectVariant, type VariantRow } from "./ab-test/variant-queries.ts";
import { selectProjectBroadcast } from "./queries.ts";
import { stateConflict } from "./state-conflict.ts";

/** What a broadcast sends, as fixed at its start. */
export type Content = Pick<VariantRow, "subject" | "preheader" | "htmlBody" | "textBody"> & {
  /** The variant of an A/B test; null without one. */
  n: number | null;
};

/**
 * Returns the content that a broadcast sends: of an A/B test, that of the winner or, without one, of
 * the first variant. Throws not_found, and 409 for a draft, which has not fixed it.
 */
export async function readContent(
  { deps }: Ctx,
  project: ProjectRow,
  id: string,
): Promise<Content> {
  const { db } = deps;
  const winner = sql<number>`coalesce((select winner from broadcasts where id = ${id}), 0)`;
  const [[broadcast], [variant]] = await runBatch(db, [
    selectProjectBroadcast(db, project.id, id),
    selectVariant(db, id, winner),
  ]);
  if (!broadcast) throw notFound("broadcast");
  if (broadcast.state === "draft") throw stateConflict(broadcast.state);
  const { subject, htmlBody, textBody, ...content } = variant ?? broadcast;
  const preheader = broadcast.plan?.previewText ?? content.preheader;
  return { n: variant?.n ?? null, subject, preheader, htmlBody, textBody };
}
