import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { UserActor } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";

const ACTIONS = {
  session: "user.session_ended",
  "access token": "user.token_ended",
} as const;

/**
 * Ends one of the actor's sessions, which may be the current one, or access tokens, effective with
 * the next request. Throws not_found.
 */
export async function endSession(
  ctx: Ctx,
  { userId }: UserActor,
  { id, kind }: { id: string; kind: keyof typeof ACTIONS },
): Promise<void> {
  const { db } = ctx.deps;
  const one = sql`sessions where user_id = ${userId} and id = ${id}
    and (name is not null) = ${kind === "access token" ? 1 : 0}`;
  const fact = {
    scopeId: userId,
    action: ACTIONS[kind],
    targetId: id,
    metadata: sql`(select iif(name is null, '{}', json_object('name', name)) from ${one})`,
  };
  const [, ended] = await runBatch(db, [
    auditStatement(ctx, fact, sql`exists (select 1 from ${one})`),
    db.all(sql`delete from ${one} returning id`),
  ]);
  if (ended.length === 0) throw notFound(kind);
}
