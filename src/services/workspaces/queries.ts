import { and, eq } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { workspaceMembers, workspaces } from "../../db/schema/index.ts";

export function insertWorkspace(db: Database, workspace: typeof workspaces.$inferInsert) {
  return db.insert(workspaces).values(workspace);
}

export function insertMember(db: Database, member: typeof workspaceMembers.$inferInsert) {
  return db.insert(workspaceMembers).values(member);
}

/** The role of a user in a workspace: at most one row. */
export function selectRole(db: Database, workspaceId: string, userId: string) {
  return db
    .select({ role: workspaceMembers.role })
    .from(workspaceMembers)
    .where(and(eq(workspaceMembers.workspaceId, workspaceId), eq(workspaceMembers.userId, userId)));
}
