import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** The audit trail. Ids are ULIDs, so the primary key is chronological. */
export const auditEntries = sqliteTable(
  "audit_entries",
  {
    id: text().notNull(),
    /** The project or workspace, or the user for account events; "" if none is known. */
    scopeId: text("scope_id").notNull(),
    userId: text("user_id"),
    action: text().notNull(),
    targetType: text("target_type").notNull(),
    targetId: text("target_id").notNull(),
    metadata: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    ipAddress: text("ip_address").notNull(),
    userAgent: text("user_agent").notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scopeId, table.id] }), // newest first within a scope
    index("audit_entries_by_action").on(table.scopeId, table.action, table.id), // ?action=
  ],
);
