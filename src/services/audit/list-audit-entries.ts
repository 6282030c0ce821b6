import { and, desc, eq, getTableColumns, gte, lt, sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { countFor, followsId } from "../../db/paging.ts";
import { auditEntries, users } from "../../db/schema/index.ts";
import { ulidFloor } from "../../lib/ids.ts";
import { spanOf, totalOf, type ListPage } from "../../lib/page.ts";

/** An entry with the current name and email of its user. */
export type AuditRow = typeof auditEntries.$inferSelect & {
  userName: string | null;
  userEmail: string | null;
};

export interface AuditFilter {
  /** Exact match. An unknown action matches no entry. */
  action: string | undefined;
  /** Milliseconds, inclusive. */
  from: number | undefined;
  /** Milliseconds, exclusive. */
  to: number | undefined;
}

/**
 * Returns a page of the audit trail of a project or workspace, newest first, with the number of
 * entries that match the filter (API reference §16.4). The route checks `audit:read`. One round
 * trip. Rows read: the page with the user of each entry, the entries that its offset skips, and one
 * index entry for each counted entry.
 */
export async function listAuditEntries(
  ctx: Ctx,
  scopeId: string | SQL,
  filter: AuditFilter,
  page: ListPage<string>,
): Promise<{ entries: AuditRow[]; total: number | undefined }> {
  const { db } = ctx.deps;
  const matches = condition(scopeId, filter);
  const { limit, offset } = spanOf(page);
  const [entries, counts] = await runBatch(db, [
    db
      .select({
        ...getTableColumns(auditEntries),
        userName: users.name,
        userEmail: users.email,
      })
      .from(auditEntries)
      .leftJoin(users, eq(users.id, auditEntries.userId))
      .where(and(matches, followsId(page, auditEntries.id)))
      .orderBy(desc(auditEntries.id))
      .limit(limit)
      .offset(offset),
    countFor(
      db,
      page,
      db.all<{ total: number }>(
        sql`select count(*) as total from ${auditEntries} where ${matches}`,
      ),
    ),
  ]);
  return { entries, total: totalOf(page, counts) };
}

/** Returns the scope of a project that a workspace has deleted; null for any other project. */
export function deletedProject(workspaceId: string, projectId: string): SQL {
  return sql`(select target_id from ${auditEntries} deletion where deletion.scope_id = ${workspaceId}
    and deletion.action = 'project.delete' and deletion.target_id = ${projectId})`;
}

/**
 * Builds the SQL condition of a filter. An entry's id starts with the millisecond of its
 * `created_at`.
 */
function condition(scopeId: string | SQL, { action, from, to }: AuditFilter) {
  return and(
    eq(auditEntries.scopeId, scopeId),
    action === undefined ? undefined : eq(auditEntries.action, action),
    from === undefined ? undefined : gte(auditEntries.id, floor(from)),
    to === undefined ? undefined : lt(auditEntries.id, floor(to)),
  );
}

/** Returns the lowest id of a millisecond. ULIDs cannot express a time before 1970. */
const floor = (ms: number) => ulidFloor(Math.max(0, ms));
