import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { auditStatement } from "./record-audit.ts";

/** Records in a project's audit trail that the caller exports an entire list. */
export async function noteListExport(ctx: Ctx, projectId: string, list: string): Promise<void> {
  const fact = {
    scopeId: projectId,
    action: "list.export",
    metadata: { list },
  } as const;
  await runBatch(ctx.deps.db, [auditStatement(ctx, fact)]);
}
