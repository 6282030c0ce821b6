import { and, eq, gte } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { auditEntries } from "../../db/schema/index.ts";
import { ulidFloor } from "../../lib/ids.ts";
import type { AuditAction } from "./record-audit.ts";

/** Selects a row if the audit trail of a project has this action since a time: one index lookup. */
export function changedSince(db: Database, scopeId: string, action: AuditAction, since: number) {
  const { id } = auditEntries;
  return db
    .select({ id })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.scopeId, scopeId),
        eq(auditEntries.action, action),
        gte(id, ulidFloor(Math.max(0, since))),
      ),
    )
    .limit(1);
}
