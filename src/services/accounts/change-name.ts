import { eq } from "drizzle-orm";
import type { Actor, Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { users } from "../../db/schema/index.ts";
import { auditStatement } from "../audit/index.ts";
import type { PublicUser } from "./log-in.ts";

/** Changes the actor's name. Authorized by the session. */
export async function changeName(
  ctx: Ctx,
  { userId: id, email }: Extract<Actor, { kind: "user" }>,
  name: string,
): Promise<PublicUser> {
  const { db, now } = ctx.deps;
  await runBatch(db, [
    db.update(users).set({ name, updatedAt: now() }).where(eq(users.id, id)),
    auditStatement(ctx, { scopeId: id, action: "user.update" }),
  ]);
  return { id, email, name };
}
