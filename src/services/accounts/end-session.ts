import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { sessions } from "../../db/schema/index.ts";
import { notFound } from "../../errors.ts";
import type { UserActor } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";

/** Ends one of the actor's sessions, which may be the current one. Throws not_found. */
export async function endSession(ctx: Ctx, actor: UserActor, sessionId: string): Promise<void> {
  const { db } = ctx.deps;
  const { userId } = actor;
  const exists = sql`exists (select 1 from sessions where user_id = ${userId} and id = ${sessionId})`;
  const [, ended] = await runBatch(db, [
    auditStatement(
      ctx,
      { scopeId: userId, action: "user.session_ended", targetId: sessionId },
      exists,
    ),
    db
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), eq(sessions.id, sessionId)))
      .returning({ id: sessions.id }),
  ]);
  if (ended.length === 0) throw notFound("session");
}
