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
  /** When the user verified the address; null until then. */
  verifiedAt: timestamp(),
  /** The user who created the account; null for a self-registered account. */
  createdBy: text("created_by"),
});

/**
 * Cookie sessions and personal access tokens, by the SHA-256 of their token. An access token has a
 * name, and its two expiry times are the same. WITHOUT ROWID.
 */
export const sessions = sqliteTable(
  "sessions",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: text("user_id").notNull(),
    createdAt: timestamp().notNull(),
    /** Expiry of the idle timeout; each use extends it. */
    expiresAt: timestamp().notNull(),
    /** Absolute expiry, which is never extended. */
    endsAt: timestamp().notNull(),
    /** Identifies the session in lists; the hash of its token never leaves the database. */
    id: text().notNull().default(""),
    /** Last use, rounded down to the hour. */
    lastSeenAt: integer("last_seen_at", { mode: "number" }).notNull().default(0),
    /** IP address and user agent of the login. */
    ipAddress: text("ip_address").notNull().default(""),
    userAgent: text("user_agent").notNull().default(""),
    /** Name of an access token; null for a session. */
    name: text(),
    /** The projects that an access token reaches, as a JSON list; null for all of its person. */
    projectIds: text("project_ids", { mode: "json" }).$type<string[]>(),
  },
  (table) => [
    index("sessions_by_user").on(table.userId), // revokes a user's other sessions after a password change; lists them
    index("sessions_by_expiry").on(table.expiresAt), // nightly cleanup
  ],
);

export const MAILED_TOKEN_KINDS = ["invitation", "reset", "confirm"] as const;

/**
 * Tokens in the service's own emails, keyed by SHA-256. Each retry of an email gets a new token, so
 * one subject may have several. WITHOUT ROWID.
 */
export const mailedTokens = sqliteTable(
  "mailed_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    kind: text({ enum: MAILED_TOKEN_KINDS }).notNull(),
    /** Id of the invitation or the user. */
    subjectId: text("subject_id").notNull(),
    createdAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
    /** The address that a confirmation gives to the account; null if it has it already. */
    email: text(),
  },
  (table) => [
    index("mailed_tokens_by_subject").on(table.subjectId), // using one token revokes the others
    index("mailed_tokens_by_expiry").on(table.expiresAt), // nightly cleanup
  ],
);

export const DEVICE_DECISIONS = ["approved", "denied"] as const;

/**
 * Logins of programs that a person confirms in the browser (RFC 8628). Codes are stored as SHA-256.
 * WITHOUT ROWID.
 */
export const deviceLogins = sqliteTable(
  "device_logins",
  {
    deviceHash: text("device_hash").primaryKey(),
    userCodeHash: text("user_code_hash").notNull().unique(),
    /** The program and its machine, in its own words. */
    name: text().notNull(),
    ipAddress: text("ip_address").notNull(),
    expiresAt: timestamp().notNull(),
    polledAt: timestamp().notNull(),
    /** Null until the person decides. */
    decision: text({ enum: DEVICE_DECISIONS }),
  },
  (table) => [
    index("device_logins_by_expiry").on(table.expiresAt), // nightly cleanup
  ],
);

/** Settings of the deployment: one row with the id "service". WITHOUT ROWID. */
export const serviceSettings = sqliteTable("service_settings", {
  id: text().primaryKey(),
  /** The project that sends the service's own email … */
  mailProjectId: text("mail_project_id").notNull(),
  /**
   * … provided its SMTP server is the one the operator confirmed. If the server changes, service
   * email stops.
   */
  mailServer: text("mail_server").notNull(),
});

/** Notices to owners, at most one per day and cause. WITHOUT ROWID. */
export const ownerNotices = sqliteTable(
  "owner_notices",
  {
    cause: text().notNull(),
    /** Days since 1970-01-01 UTC. */
    day: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.cause] })],
);
