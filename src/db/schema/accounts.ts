import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** People who can log in. */
export const users = sqliteTable("users", {
  id: text().primaryKey(),
  email: text().notNull().unique(),
  name: text().notNull(),
  passwordHash: text("password_hash").notNull(),
  createdAt: timestamp().notNull(),
  updatedAt: timestamp().notNull(),
  /** Since when the address is proven to be this person's; null while it is not. */
  verifiedAt: timestamp(),
  /** The user who created the account; null where the person did it. */
  createdBy: text("created_by"),
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
    /** Names the session in lists; the hash of its token never leaves the database. */
    id: text().notNull().default(""),
    /** The last use, to the hour. */
    lastSeenAt: integer("last_seen_at", { mode: "number" }).notNull().default(0),
    /** Where and with what the login was made. */
    ipAddress: text("ip_address").notNull().default(""),
    userAgent: text("user_agent").notNull().default(""),
  },
  (table) => [
    index("sessions_by_user").on(table.userId), // a new password ends the user's other sessions
    index("sessions_by_expiry").on(table.expiresAt), // nightly removal
  ],
);

export const MAILED_TOKEN_KINDS = ["invitation", "reset", "confirm"] as const;

/**
 * Tokens in mails of the service itself, by their SHA-256. A mail that is tried again has a token
 * of its own, so one fact may have several. WITHOUT ROWID.
 */
export const mailedTokens = sqliteTable(
  "mailed_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    kind: text({ enum: MAILED_TOKEN_KINDS }).notNull(),
    /** The invitation, or the user. */
    subjectId: text("subject_id").notNull(),
    createdAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
  },
  (table) => [
    index("mailed_tokens_by_subject").on(table.subjectId), // a use ends the others
    index("mailed_tokens_by_expiry").on(table.expiresAt), // nightly removal
  ],
);

/** Settings of the whole service: one row with the id "service". WITHOUT ROWID. */
export const serviceSettings = sqliteTable("service_settings", {
  id: text().primaryKey(),
  /** The project through which the service sends its own mail … */
  mailProjectId: text("mail_project_id").notNull(),
  /** … as long as its server is the one that the operator saw: whoever changes it gets no mail. */
  mailServer: text("mail_server").notNull(),
});

/** Notices to owners, so that each cause sends one a day. WITHOUT ROWID. */
export const ownerNotices = sqliteTable(
  "owner_notices",
  {
    cause: text().notNull(),
    /** Whole days since 1970 UTC. */
    day: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.cause] })],
);
