import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** The roles of a workspace (API reference §2.6). */
export const ROLES = ["owner", "admin", "developer", "member", "viewer"] as const;

export const workspaces = sqliteTable("workspaces", {
  id: text().primaryKey(),
  name: text().notNull(),
  createdBy: text("created_by").notNull(),
  createdAt: timestamp().notNull(),
  updatedAt: timestamp().notNull(),
});

/** Roles of users in a workspace. WITHOUT ROWID; read on every cookie request. */
export const workspaceMembers = sqliteTable(
  "workspace_members",
  {
    workspaceId: text("workspace_id").notNull(),
    userId: text("user_id").notNull(),
    role: text({ enum: ROLES }).notNull(),
    joinedAt: timestamp().notNull(),
    /** True if the person joined voluntarily: created the workspace or accepted an invitation. */
    accepted: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.userId] }),
    index("workspace_members_by_user").on(table.userId, table.joinedAt), // a user's workspaces, oldest first
  ],
);

/** Open invitations. WITHOUT ROWID. */
export const workspaceInvitations = sqliteTable(
  "workspace_invitations",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    email: text().notNull(),
    role: text({ enum: ROLES }).notNull(),
    /**
     * The user who last sent it. The invitation is valid only while this user may manage members.
     */
    invitedBy: text("invited_by").notNull(),
    createdAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex("workspace_invitations_by_email").on(table.workspaceId, table.email),
    index("workspace_invitations_by_expiry").on(table.expiresAt), // nightly cleanup
  ],
);
