import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** People who can log in. */
export const users = sqliteTable("users", {
  id: text().primaryKey(),
  email: text().notNull().unique(),
  name: text().notNull(),
  passwordHash: text("password_hash").notNull(),
  createdAt: timestamp().notNull(),
  updatedAt: timestamp().notNull(),
});

/** Cookie sessions by the SHA-256 of their token; stored WITHOUT ROWID. */
export const sessions = sqliteTable(
  "sessions",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: text("user_id").notNull(),
    createdAt: timestamp().notNull(),
    /** End of the idle life, moved on use. */
    expiresAt: timestamp().notNull(),
    /** End of the absolute life, never moved. */
    endsAt: timestamp().notNull(),
  },
  (table) => [
    index("sessions_by_user").on(table.userId), // a new password ends the user's other sessions
    index("sessions_by_expiry").on(table.expiresAt), // nightly removal
  ],
);
