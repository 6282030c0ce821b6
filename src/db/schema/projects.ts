import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LOCATION_HINTS } from "../../lib/location-hint.ts";
import type { SendingLimits } from "../../lib/rates/sending-limits.ts";
import type { SeenSignature } from "../../lib/seen-signature.ts";
import { timestamp } from "./columns.ts";
import type { AudienceSettings, MailSettings, StoredBounceSettings } from "./project-settings.ts";

export const projects = sqliteTable(
  "projects",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    createdBy: text("created_by").notNull(),
    name: text().notNull(),
    description: text().notNull(),
    fromName: text("from_name"),
    fromEmail: text("from_email"),
    smtpHost: text("smtp_host"),
    smtpPort: integer("smtp_port"),
    smtpUser: text("smtp_user"),
    /** Sealed with the context `project:<id>:smtp_password` (lib/seal.ts). */
    smtpPasswordSealed: text("smtp_password_sealed"),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    /** Limits of the SMTP server; null for the defaults. */
    sendingLimits: text("sending_limits", { mode: "json" }).$type<SendingLimits>(),
    /** Increases with each change of the limits. */
    sendingVersion: integer("sending_version").notNull().default(0),
    /** The fallback server, used when the first one is unavailable. */
    fallbackHost: text("fallback_host"),
    fallbackPort: integer("fallback_port"),
    fallbackUser: text("fallback_user"),
    /** Sealed with the context `project:<id>:fallback_password`. */
    fallbackPasswordSealed: text("fallback_password_sealed"),
    /** Only the settings that differ from the defaults; null if none do. */
    bounceSettings: text("bounce_settings", { mode: "json" }).$type<StoredBounceSettings>(),
    /** Region hint for the project's Durable Object; null places it near its first caller. */
    locationHint: text("location_hint", { enum: LOCATION_HINTS }),
    /** Domain of the return path, if set. It routes incoming mail that names no project. */
    bounceDomain: text("bounce_domain"),
    /** Only the settings that differ from the defaults; null if none do. */
    audienceSettings: text("audience_settings", { mode: "json" }).$type<
      Partial<AudienceSettings>
    >(),
    /** Only the settings that differ from the defaults; null if none do. */
    mailSettings: text("mail_settings", { mode: "json" }).$type<Partial<MailSettings>>(),
  },
  (table) => [
    index("projects_by_creator").on(table.createdBy, table.createdAt), // GET /projects
    index("projects_by_workspace").on(table.workspaceId, table.createdAt), // GET /workspaces/{id}/projects
    index("projects_by_bounce_domain")
      .on(table.bounceDomain)
      .where(sql`bounce_domain is not null`),
  ],
);

/** Deleted projects whose rows are still being removed in bounded batches. */
export const projectPurges = sqliteTable("project_purges", {
  projectId: text("project_id").primaryKey(),
  createdAt: timestamp().notNull(),
});

export const API_KEY_TYPES = ["sk", "pk", "sdk"] as const;

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text().primaryKey(),
    projectId: text("project_id").notNull(),
    name: text().notNull(),
    type: text({ enum: API_KEY_TYPES }).notNull(),
    /** SHA-256 of the whole key. The key itself is shown once and never stored. */
    keyHash: text("key_hash").notNull().unique(),
    prefix: text().notNull(),
    rateLimitPerMinute: integer("rate_limit_per_minute"),
    createdAt: timestamp().notNull(),
    lastUsedAt: timestamp(),
    capabilities: text({ mode: "json" }).$type<string[]>().notNull(),
    /** The user who created the key. */
    createdBy: text("created_by").notNull(),
  },
  (table) => [index("api_keys_by_project").on(table.projectId, table.createdAt)],
);

/**
 * Sizes of a project's lists, updated in the same batch as the rows they count, so that no page
 * counts table rows. One row per project, WITHOUT ROWID: any update costs one written row.
 */
export const projectCounters = sqliteTable("project_counters", {
  projectId: text("project_id").primaryKey(),
  subscribersActive: integer("subscribers_active").notNull().default(0),
  subscribersPending: integer("subscribers_pending").notNull().default(0),
  subscribersUnsubscribed: integer("subscribers_unsubscribed").notNull().default(0),
  suppressionsHardBounce: integer("suppressions_hard_bounce").notNull().default(0),
  suppressionsUnsubscribed: integer("suppressions_unsubscribed").notNull().default(0),
  suppressionsManual: integer("suppressions_manual").notNull().default(0),
  /** Day (UTC, days since 1970-01-01) of the last suppression by an unproven report, … */
  unprovenDay: integer("unproven_day").notNull().default(0),
  /** … the number of these suppressions on that day, … */
  unprovenCount: integer("unproven_count").notNull().default(0),
  /** … and the token of the last counted write, whose other statements check it. */
  unprovenClaim: text("unproven_claim").notNull().default(""),
  /** The same counters for public signups (services/limits/daily-claim.ts). */
  joinsDay: integer("joins_day").notNull().default(0),
  joinsCount: integer("joins_count").notNull().default(0),
  joinsClaim: text("joins_claim").notNull().default(""),
  /** Bytes that count toward the workspace's quota (cloud mode only) … */
  storedBytes: integer("stored_bytes").notNull().default(0),
  /** … and when they were last measured. */
  measuredAt: timestamp().notNull().default(0),
});

/** Settings for polling the bounce mailbox. */
export const bounceImap = sqliteTable("bounce_imap", {
  projectId: text("project_id").primaryKey(),
  enabled: integer({ mode: "boolean" }).notNull(),
  host: text().notNull(),
  port: integer().notNull(),
  user: text().notNull(),
  /** Sealed with the context `project:<id>:imap_password`. */
  passwordSealed: text("password_sealed").notNull(),
  folder: text().notNull(),
  lastPolledAt: timestamp(),
  /** Error message of the last poll, as JSON; "" if the poll succeeded. */
  lastError: text("last_error").notNull().default(""),
  /** Time of the first failed poll since the last successful one. */
  failingSince: timestamp(),
});

/**
 * Token of the public bounce ingest: a hash to verify requests, and sealed for members who may read
 * the URL.
 */
export const bounceTokens = sqliteTable("bounce_tokens", {
  projectId: text("project_id").primaryKey(),
  tokenHash: text("token_hash").notNull(),
  tokenSealed: text("token_sealed").notNull(),
  rotatedAt: timestamp().notNull(),
});

export const REPORT_KINDS = ["bounce", "complaint"] as const;

/**
 * Unproven reports from the bounce mailbox that did not count, one row per address, for manual
 * review. WITHOUT ROWID.
 */
export const unverifiedBounces = sqliteTable(
  "unverified_bounces",
  {
    projectId: text("project_id").notNull(),
    email: text().notNull(),
    kind: text({ enum: REPORT_KINDS }).notNull(),
    /** Reason code (API reference §11.7), and the text of the server. */
    reason: text().notNull(),
    words: text().notNull(),
    /** The newest mail to the address, if the log contains one. */
    logId: text("log_id"),
    reports: integer().notNull().default(1),
    firstSeenAt: timestamp().notNull(),
    lastSeenAt: timestamp().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.email] }),
    index("unverified_bounces_by_age").on(table.projectId, table.lastSeenAt), // newest first
  ],
);

/**
 * DKIM signatures of a project's newest mail that came back to its return path or bounce mailbox,
 * used by the sender check. WITHOUT ROWID.
 */
export const senderSignatures = sqliteTable("sender_signatures", {
  projectId: text("project_id").primaryKey(),
  signatures: text({ mode: "json" }).$type<SeenSignature[]>().notNull(),
  seenAt: timestamp().notNull(),
});
