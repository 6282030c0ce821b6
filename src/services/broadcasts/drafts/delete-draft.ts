import { runBatchAfter } from "../../../db/client.ts";
import type { Ctx } from "../../../context.ts";
import type { ProjectRow } from "../../access/index.ts";
import { auditStatement } from "../../audit/index.ts";
import { selectProjectBroadcast } from "../queries.ts";
import { replaceVariants } from "../ab-test/variant-queries.ts";
import { draftAudit, notAsExpected } from "./draft-audit.ts";
import { deleteDraftRow, draftIs } from "./draft-queries.ts";

/**
 * Removes a draft that is not scheduled. Throws not_found, 409 with the state, and
 * precondition_failed if the draft's version is not one of the expected ones.
 */
export async function deleteDraft(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  versions: number[] | undefined,
): Promise<void> {
  const { db } = ctx.deps;
  const expected = { states: ["draft" as const], versions };
  const is = draftIs(project.id, id, expected);
  const before = [
    auditStatement(ctx, draftAudit(project, "broadcast.delete", id), is),
    ...replaceVariants(db, id, [], is),
  ];
  const [deleted, [kept]] = await runBatchAfter(db, before, [
    deleteDraftRow(db, project.id, id, expected),
    selectProjectBroadcast(db, project.id, id),
  ]);
  if (deleted.length === 0) throw notAsExpected(kept, expected);
}
