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
  /** Time of the proof that the address belongs to this person; null before it. */
  verifiedAt: timestamp(),
  /** The user who created the account; null when the person did. */
  createdBy: text("created_by"),
});

/** Cookie sessions by the SHA-256 of their token. WITHOUT ROWID. */
export const sessions = sqliteTable(
  "sessions",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: text("user_id").notNull(),
    createdAt: timestamp().notNull(),
    /** End of the idle lifetime; each use moves it. */
    expiresAt: timestamp().notNull(),
    /** End of the absolute lifetime; nothing moves it. */
    endsAt: timestamp().notNull(),
    /** Identifies the session in lists; the hash of its token never leaves the database. */
    id: text().notNull().default(""),
    /** The last use, to the hour. */
    lastSeenAt: integer("last_seen_at", { mode: "number" }).notNull().default(0),
    /** Address and user agent of the login. */
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
 * Tokens in mails of the service itself, by their SHA-256. Each retry of a mail gets a token of its
 * own, so one subject may have several. WITHOUT ROWID.
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
    index("mailed_tokens_by_subject").on(table.subjectId), // using one token ends the others
    index("mailed_tokens_by_expiry").on(table.expiresAt), // nightly removal
  ],
);

/** Settings of the whole service: one row with the id "service". WITHOUT ROWID. */
export const serviceSettings = sqliteTable("service_settings", {
  id: text().primaryKey(),
  /** The project through which the service sends its own mail … */
  mailProjectId: text("mail_project_id").notNull(),
  /**
   * … as long as its server is the one that the operator saw. A changed server gets none of the
   * service's mail.
   */
  mailServer: text("mail_server").notNull(),
});

/** Notices to owners, at most one a day for each cause. WITHOUT ROWID. */
export const ownerNotices = sqliteTable(
  "owner_notices",
  {
    cause: text().notNull(),
    /** Whole days since 1970 UTC. */
    day: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.cause] })],
);
