import type { Database } from "../../../db/client.ts";
import type { VariantOutcome } from "../../../db/schema/index.ts";
import { selectVariantOutcomes } from "../../email-log/reports/index.ts";
import type { BroadcastRow } from "../queries.ts";
import { variantLetter } from "./judge-ab-test.ts";

const NOTHING: VariantOutcome = { mailed: 0, opened: 0, clicked: 0 };

/** Returns the outcomes of the variants of an A/B test so far. */
export async function readOutcomes(
  db: Database,
  broadcast: Pick<BroadcastRow, "id" | "projectId" | "createdAt" | "plan">,
): Promise<VariantOutcome[]> {
  const { id: broadcastId, projectId, createdAt: from, plan } = broadcast;
  const found = await selectVariantOutcomes(db, { projectId, broadcastId, from });
  const byLetter = new Map(found.map(({ variant, ...outcome }) => [variant, outcome]));
  return (plan?.ab?.variants ?? []).map((_, n) => byLetter.get(variantLetter(n)) ?? NOTHING);
}
