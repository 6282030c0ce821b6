import type { Database } from "../../../db/client.ts";
import type { VariantOutcome } from "../../../db/schema/index.ts";
import { selectVariantOutcomes } from "../../email-log/reports/index.ts";
import type { BroadcastRow } from "../queries.ts";
import { outcomesInOrder } from "./judge-ab-test.ts";

/** Returns the outcomes of the variants of an A/B test so far. */
export async function readOutcomes(
  db: Database,
  broadcast: Pick<BroadcastRow, "id" | "projectId" | "createdAt" | "plan">,
): Promise<VariantOutcome[]> {
  const { id: broadcastId, projectId, createdAt: from, plan } = broadcast;
  const found = await selectVariantOutcomes(db, { projectId, broadcastId, from });
  return outcomesInOrder(found, plan?.ab?.variants.length ?? 0);
}
