import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { isNotNullViolation, isUniqueViolation } from "../../db/constraint-violation.ts";
import { refusal } from "../../errors.ts";
import { hashPassword } from "../../lib/password-hash.ts";
import type { Role, UserActor, WorkspaceRow } from "../access/index.ts";
import { insertUser, type PublicUser } from "../accounts/index.ts";
import { auditStatement } from "../audit/index.ts";
import { personalWorkspace } from "./new-workspace.ts";
import { insertMember, memberHolds } from "./queries.ts";

export interface NewUserInput {
  email: string;
  name: string;
  password: string;
  role: Role;
}

/**
 * Creates an account with its own workspace and a membership in this one, atomically. The route and
 * the write itself both check `members:write`. Throws 409 for an email with an account, and 403 in
 * cloud mode and if the actor has lost the role since the check.
 */
export async function createUser(
  ctx: Ctx,
  actor: UserActor,
  workspace: WorkspaceRow,
  input: NewUserInput,
): Promise<PublicUser & { role: Role }> {
  const { deps } = ctx;
  if (deps.config.deploymentMode === "cloud") throw refusal("accounts_by_invitation", {});
  const { email, name, role } = input;
  const passwordHash = await hashPassword(input.password);
  const now = deps.now();
  const userId = deps.newId();
  const { id: workspaceId } = workspace;
  // Without the capability the id is null, so the whole batch fails and creates nothing.
  const may = memberHolds(workspaceId, actor.userId, "members:write");
  const id = sql<string>`iif(${may}, ${userId}, null)`;
  try {
    await runBatch(deps.db, [
      insertUser(deps.db, {
        id,
        email,
        name,
        passwordHash,
        createdAt: now,
        updatedAt: now,
        createdBy: actor.userId,
      }),
      ...personalWorkspace(ctx, { id: userId, name }),
      insertMember(deps.db, { workspaceId, userId, role, joinedAt: now }),
      auditStatement(ctx, {
        scopeId: workspaceId,
        action: "workspace.user_created",
        metadata: { user_id: userId, role },
      }),
    ]);
  } catch (error) {
    if (isNotNullViolation(error, "users.id")) throw refusal("no_longer_owner", {});
    if (isUniqueViolation(error, "users.email")) throw refusal("email_registered", {});
    throw error;
  }
  return { id: userId, email, name, role };
}
