import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { deleteKey, keyExists, keyFacts } from "./queries.ts";

/**
 * Revokes a key, effective with the next request. The route checks the capability. Throws
 * not_found.
 */
export async function revokeApiKey(ctx: Ctx, project: ProjectRow, keyId: string): Promise<void> {
  const { db } = ctx.deps;
  const fact = {
    scopeId: project.id,
    action: "api_key.revoke",
    targetId: keyId,
    metadata: keyFacts(keyId),
  } as const;
  const [, deleted] = await runBatch(db, [
    auditStatement(ctx, fact, keyExists(project.id, keyId)),
    deleteKey(db, project.id, keyId),
  ]);
  if (deleted.length === 0) throw notFound("API key");
}
