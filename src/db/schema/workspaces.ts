import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** The roles of a workspace (API reference, "Workspace role"). */
export const ROLES = ["owner", "admin", "developer", "member", "viewer"] as const;

export const workspaces = sqliteTable("workspaces", {
  id: text().primaryKey(),
  name: text().notNull(),
  createdBy: text("created_by").notNull(),
  createdAt: timestamp().notNull(),
  updatedAt: timestamp().notNull(),
});

/** Who may do what in a workspace; stored WITHOUT ROWID, read on every cookie request. */
export const workspaceMembers = sqliteTable(
  "workspace_members",
  {
    workspaceId: text("workspace_id").notNull(),
    userId: text("user_id").notNull(),
    role: text({ enum: ROLES }).notNull(),
    joinedAt: timestamp().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.userId] }),
    index("workspace_members_by_user").on(table.userId, table.joinedAt), // my workspaces, oldest first
  ],
);
